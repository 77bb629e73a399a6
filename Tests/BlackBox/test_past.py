"""Time zones as the server reads them."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from goals_client import Client

ZONES = Path("/usr/share/zoneinfo")
NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)


class TestATimeZone:
    def test_is_the_file_of_the_machine(self, me: Client) -> None:
        for name in ("Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", "US/Pacific"):
            data = (ZONES / name).read_bytes()
            for path in (name, name.replace("/", "%2F"), name.replace("/", "%2f")):
                response = me.get(f"/v1/zones/{path}").expect(200)
                assert response.media_type == "application/octet-stream"
                assert response.body == data
            read = zoneinfo.ZoneInfo.from_file(BytesIO(response.body))
            assert NOW.astimezone(read).utcoffset() == NOW.astimezone(zoneinfo.ZoneInfo(name)).utcoffset()
            me.get(f"/v1/zones/{name}", headers={"If-None-Match": response.etag}).expect(304)

    def test_is_nothing_else_that_is_there(self, me: Client) -> None:
        for path in ("Mars/Olympus", "Europe", "..%2F..%2Fpasswd", "%2Fetc%2Fpasswd", "zone.tab", "localtime", "right/UTC"):
            me.get(f"/v1/zones/{path}").expect(404, "not-found")
        # Dots are resolved before the path is looked at, so this is another one; and a slash is encoded only there.
        me.get("/v1/zones/../goals").expect(200)
        me.get("/v1/goals/a%2Fb").expect(400, "malformed-request")
        me.get("/v1%2Fzones/UTC").expect(400, "malformed-request")
