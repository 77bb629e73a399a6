// Every text of the page, in English and in German. `{n}` and the like stand for values. Where a number
// decides the form, there are `one` and `other`, by the `count` that is given (Intl.PluralRules).

/** @typedef {{ one: string, other: string } & Partial<Record<Intl.LDMLPluralRule, string>>} Forms */

/** @type {(one: string, other: string) => Forms} */
const forms = (one, other) => ({ one, other });

/** @type {Record<string, [string, string] | [Forms, Forms]>} */
const table = {
  account: ["Account", "Konto"],
  activeGoal: ["Count this goal", "Dieses Ziel zählen"],
  activeHelp: ["Goals that rest keep their history.", "Ruhende Ziele behalten ihren Verlauf."],
  activity: ["What happened", "Was geschah"],
  activityHelp: ["Whatever was done can be taken back, a goal that was deleted too.", "Was getan wurde, lässt sich zurücknehmen, auch ein gelöschtes Ziel."],
  add: ["Add", "Hinzufügen"],
  addToken: ["Add a device", "Gerät hinzufügen"],
  archive: ["Take it with you", "Mitnehmen"],
  archiveHelp: ["Every edit as the server recorded it, or the counts as a table.", "Jede Änderung, wie der Server sie festhielt, oder die Zahlen als Tabelle."],
  calendar: ["Calendar", "Kalender"],
  calendarHelp: ["It decides on which day you count, and when a week begins.", "Er bestimmt, an welchem Tag du zählst und wann eine Woche beginnt."],
  copied: ["Copied", "Kopiert"],
  copy: ["Copy", "Kopieren"],
  copyByHand: ["Copy it by hand: the browser does not let the page do it.", "Bitte von Hand kopieren: Der Browser lässt die Seite das nicht tun."],
  curlHelp: ["This line counts one of {title}, from a button, a tag or a script:", "Diese Zeile zählt eins bei {title}, von einem Knopf, einem Tag oder einem Skript aus:"],
  dayStart: ["A day begins at", "Ein Tag beginnt um"],
  exportLog: ["Export", "Exportieren"],
  exportTable: ["Table (CSV)", "Tabelle (CSV)"],
  imported: ["Imported", "Importiert"],
  importLog: ["Import", "Importieren"],
  linkOnce: ["works once, within 15 minutes", "gilt einmal, 15 Minuten lang"],
  madeBy: ["made by {maker}", "von {maker}"],
  lastUsed: ["last used {when}", "zuletzt {when}"],
  needsServer: ["This needs the server, which can't be reached.", "Das braucht den Server, der nicht zu erreichen ist."],
  importBad: [
    "This is no whole export of Goals: see its line {line}. Nothing was imported.",
    "Das ist kein ganzer Export von Goals: siehe Zeile {line}. Nichts wurde importiert."],
  revoke: ["Revoke", "Entziehen"],
  revokeOf: ["Revoke {name}", "{name} entziehen"],
  saved: ["Saved", "Gespeichert"],
  scanHelp: ["Scan this with a phone, or open the link, to sign in there:", "Mit dem Telefon scannen oder den Link öffnen, um sich dort anzumelden:"],
  scope: ["It may", "Es darf"],
  scopeBumpOf: ["counts {title}", "zählt {title}"],
  scopeGoal: ["Which goal", "Welches Ziel"],
  scope_bump: ["Count one", "Eins zählen"],
  scope_count: ["Count", "Zählen"],
  scope_read: ["Read", "Lesen"],
  scope_write: ["Everything", "Alles"],
  shownOnce: ["shown only once", "nur dieses eine Mal zu sehen"],
  signOutAnyway: ["Sign out all the same", "Trotzdem abmelden"],
  thisDevice: ["this device", "dieses Gerät"],
  timeZone: ["Time zone", "Zeitzone"],
  tokenName: ["Name, such as phone", "Name, etwa Telefon"],
  tokens: ["Devices and tokens", "Geräte und Tokens"],
  tokensHelp: ["Each device, button or script has a token of its own, which you can revoke.", "Jedes Gerät, jeder Knopf, jedes Skript hat ein eigenes Token, das du entziehen kannst."],
  weekStart: ["A week begins on", "Eine Woche beginnt am"],
  zoneKeep: ["Keep {zone}", "{zone} behalten"],
  zoneOffer: ["Your days are counted in {zone}. This device is in {here}.", "Deine Tage zählen in {zone}. Dieses Gerät ist in {here}."],
  zoneUse: ["Use {here}", "{here} nehmen"],
  addFirst: ["What would you like to do more often?", "Was möchtest du öfter tun?"],
  addFirstHelp: [
    "Pick one to start with, or make your own. You can change everything later.",
    "Such dir etwas für den Anfang aus, oder denk dir etwas Eigenes aus. Alles lässt sich später ändern."],
  addGoal: ["New goal", "Neues Ziel"],
  addOwn: ["Make your own", "Eigenes Ziel"],
  all: ["All goals", "Alle Ziele"],
  allDone: ["All done. Well done!", "Alles geschafft. Gut gemacht!"],
  allSkipped: ["Nothing is left for now.", "Gerade steht nichts mehr an."],
  amount: ["How many", "Wie viele"],
  amountOf: ["How many {unit}", "Wie viele {unit}"],
  arrange: ["Arrange", "Anordnen"],
  arrangeHelp: [
    "Choose which goals count now, and drag them into your order or tap the arrows. Hold an arrow to go to the end. On a handle: arrow keys, Home and End.",
    "Wähle, welche Ziele gerade zählen, und zieh sie in deine Reihenfolge oder tippe auf die Pfeile. Halte einen Pfeil, um ans Ende zu gehen. Auf einem Griff: Pfeiltasten, Pos1 und Ende."],
  arrangingWaits: ["You have not finished arranging your goals.", "Du bist mit dem Anordnen noch nicht fertig."],
  activeCount: ["{n} of {all} active", "{n} von {all} aktiv"],
  back: ["Back", "Zurück"],
  bringBack: ["Bring it back", "Zurückholen"],
  boardHelp: ["Tap a ring to count one.", "Tippe auf einen Ring, um eins zu zählen."],
  boardHelpLarge: [
    "Tap a ring to count one. For goals of {n} or more it asks how many.",
    "Tippe auf einen Ring, um eins zu zählen. Bei Zielen ab {n} fragt er, wie viele."],
  bumped: ["{title}: {n}", "{title}: {n}"],
  cancel: ["Cancel", "Abbrechen"],
  close: ["Close", "Schließen"],
  colour: ["Colour", "Farbe"],
  count: ["Count", "Zählen"],
  dailyPeriods: ["The last days", "Die letzten Tage"],
  weeklyPeriods: ["The last weeks", "Die letzten Wochen"],
  monthlyPeriods: ["The last months", "Die letzten Monate"],
  dailyEarlier: ["Days", "Tage"],
  weeklyEarlier: ["Weeks", "Wochen"],
  monthlyEarlier: ["Months", "Monate"],
  feedEmpty: ["Nothing yet.", "Noch nichts."],
  feedOffline: ["The list of edits is on the server, which can't be reached.", "Die Liste der Änderungen liegt auf dem Server, der nicht zu erreichen ist."],
  feedFetching: ["Fetching …", "Wird geholt …"],
  goneGoal: ["This goal is gone", "Dieses Ziel gibt es nicht mehr"],
  heatHelp: ["Tap a day to see its count and its notes.", "Tippe auf einen Tag, um Anzahl und Notizen zu sehen."],
  heatLabel: [
    forms("{title}: {n} on {days} day. {year}", "{title}: {n} on {days} days. {year}"),
    forms("{title}: {n} an {days} Tag. {year}", "{title}: {n} an {days} Tagen. {year}")],
  lastYear: ["The last year", "Das letzte Jahr"],
  moveGoal: ["Move {title}, {n} of {all}", "{title} verschieben, {n} von {all}"],
  movedTo: ["{title} is now {n} of {all}", "{title} ist jetzt {n} von {all}"],
  moveUp: ["Move {title} up", "{title} nach oben"],
  moveDown: ["Move {title} down", "{title} nach unten"],
  period_met: ["done", "geschafft"],
  period_missed: ["missed", "verfehlt"],
  period_paused: ["paused", "pausiert"],
  period_pending: ["running", "läuft"],
  period_skipped: ["skipped", "ausgesetzt"],
  rate: ["Kept", "Geschafft"],
  streakBest: ["Best streak", "Längste Serie"],
  streakNow: ["Streak", "Serie"],
  total: ["In the last year", "Im letzten Jahr"],
  showMore: ["Show more", "Mehr zeigen"],
  yearBefore: ["Earlier", "Früher"],
  yearAfter: ["Later", "Später"],
  dailyOfUnit: ["{n} {unit} a day", "{n} {unit} am Tag"],
  dailySpans: [forms("{n} day", "{n} days"), forms("{n} Tag", "{n} Tage")],
  dailyStreak: [forms("{n} day in a row", "{n} days in a row"), forms("{n} Tag in Folge", "{n} Tage in Folge")],
  dailyTimes: [forms("Every day", "{n} times a day"), forms("Jeden Tag", "{n}-mal am Tag")],
  dayLabel: ["Day", "Tag"],
  forDay: ["for {day}", "für {day}"],
  happenedAt: ["of {when}", "von {when}"],
  daysLeft: [forms("ends today", "{n} days left"), forms("endet heute", "noch {n} Tage")],
  delete: ["Delete", "Löschen"],
  deleted: ["{title} is deleted", "{title} ist gelöscht"],
  details: ["History and details", "Verlauf und Einzelheiten"],
  dismiss: ["Dismiss", "Verstanden"],
  done: ["Done", "Fertig"],
  doneOf: ["{n} of {all} done", "{n} von {all} geschafft"],
  edit: ["Edit", "Bearbeiten"],
  elsewhere: [
    "The address of this server is {url}. What you do here does not reach it.",
    "Die Adresse dieses Servers ist {url}. Was du hier tust, erreicht ihn nicht."],
  evicted: [
    "The browser had cleared what this page kept on this device. Your goals come from the server again; what was not sent before is lost.",
    "Der Browser hatte gelöscht, was diese Seite auf diesem Gerät aufbewahrte. Deine Ziele kommen wieder vom Server; was noch nicht gesendet war, ist verloren."],
  excused: ["Skipped", "Ausgesetzt"],
  fetching: ["Fetching your history …", "Dein Verlauf wird geholt …"],
  failed: ["Something broke in this page. Nothing that you counted is lost.", "Auf dieser Seite ist etwas schiefgegangen. Gezähltes geht nicht verloren."],
  frequency: ["How often", "Wie oft"],
  goalSkipped: ["{title} is skipped for now", "{title} ist für diesmal ausgesetzt"],
  goals: ["Goals", "Ziele"],
  goThere: ["Go there", "Dorthin"],
  goodToSee: ["Good to see you", "Schön, dass du da bist"],
  ideas: ["More ideas", "Mehr Ideen"],
  inactive: ["Resting", "Ruhend"],
  active: ["Active", "Aktiv"],
  interval: ["In which time", "In welcher Zeit"],
  daily: ["Day", "Tag"],
  weekly: ["Week", "Woche"],
  monthly: ["Month", "Monat"],
  loading: ["Your goals are on their way …", "Deine Ziele sind unterwegs …"],
  loadAgain: ["Load again", "Neu laden"],
  menuOf: ["More for {title}", "Mehr für {title}"],
  met: ["Done", "Geschafft"],
  minusOne: ["One less", "Eins weniger"],
  monthlyOfUnit: ["{n} {unit} a month", "{n} {unit} im Monat"],
  monthlySpans: [forms("{n} month", "{n} months"), forms("{n} Monat", "{n} Monate")],
  monthlyStreak: [forms("{n} month in a row", "{n} months in a row"), forms("{n} Monat in Folge", "{n} Monate in Folge")],
  monthlyTimes: [forms("Once a month", "{n} times a month"), forms("Einmal im Monat", "{n}-mal im Monat")],
  newVersion: ["There is a new version of this page.", "Es gibt eine neue Version dieser Seite."],
  nothingActive: ["No goal is active", "Kein Ziel ist aktiv"],
  nothingActiveHelp: ["Turn on those that you want to count now.", "Schalte die ein, die du gerade zählen willst."],
  noZone: ["There is no time zone “{zone}”. Such a name is Europe/Berlin.", "Es gibt keine Zeitzone „{zone}“. So ein Name ist Europe/Berlin."],
  note: ["Note", "Notiz"],
  notKept: ["This device could not keep that. Is its disk full?", "Das konnte auf diesem Gerät nicht gespeichert werden. Ist der Speicher voll?"],
  offline: ["Offline", "Offline"],
  offlineHelp: ["You can go on counting. Everything is kept on this device and sent later.", "Du kannst weiterzählen. Alles bleibt auf diesem Gerät und wird später gesendet."],
  keepSignIn: ["Stay with “{name}”", "Bei „{name}“ bleiben"],
  oldLink: [
    "You are signed in. This link has a token that lasts, and the browser remembers it: make links with goals token add --link.",
    "Du bist angemeldet. Dieser Link enthält ein dauerhaftes Token, und der Browser merkt es sich: Mach Links mit goals token add --link."],
  openGoal: ["{title}: {progress} of {all}. {rhythm}", "{title}: {progress} von {all}. {rhythm}"],
  otherAccount: ["You are signed in to another account than the one on this device.", "Du bist mit einem anderen Konto angemeldet als dem auf diesem Gerät."],
  otherAccountHelp: ["Sign out to forget the old one, then sign in again.", "Melde dich ab, um das alte zu vergessen, und dann wieder an."],
  pasteLink: ["Sign-in link or token", "Anmelde-Link oder Token"],
  plusOne: ["One more", "Eins mehr"],
  reallySignOut: ["Sign out and lose it", "Abmelden und verlieren"],
  readOnly: ["This sign-in may only read. What you count stays on this device.", "Diese Anmeldung darf nur lesen. Gezähltes bleibt auf diesem Gerät."],
  accountFull: ["The account is full. What you count stays on this device.", "Das Konto ist voll. Gezähltes bleibt auf diesem Gerät."],
  newerServer: ["The server knows more than this page. Please load it again.", "Der Server kann mehr als diese Seite. Bitte lade sie neu."],
  rejected: ["That could not be done", "Das ging nicht"],
  rejectedCount: [forms("{n} was refused", "{n} were refused"), forms("{n} abgelehnt", "{n} abgelehnt")],
  replaceHelp: ["The link signs you in anew, perhaps to another account. This sign-in then ends.", "Der Link meldet dich neu an, vielleicht bei einem anderen Konto. Diese Anmeldung endet dann."],
  replaceSignIn: ["Sign in with the link", "Mit dem Link anmelden"],
  replaceTitle: ["You are signed in to “{name}”", "Du bist bei „{name}“ angemeldet"],
  rest: ["Let it rest", "Ruhen lassen"],
  restored: [
    "The server went back to an earlier backup. What was done here is sent again. What was done elsewhere since may be missing.",
    "Der Server wurde auf eine frühere Sicherung zurückgesetzt. Was hier geschah, wird erneut gesendet. Was seitdem anderswo geschah, fehlt vielleicht."],
  resume: ["Count it again", "Wieder zählen"],
  save: ["Save", "Speichern"],
  sending: ["Sending …", "Wird gesendet …"],
  signIn: ["Sign in", "Anmelden"],
  signInBad: [
    "This is not valid here any more. A link works once, and not for long; a token can be revoked. Another device makes a new link under “Devices and tokens”, and so does the server: goals token add --link",
    "Das gilt hier nicht mehr. Ein Link gilt einmal und nicht lange, ein Token kann entzogen sein. Einen neuen Link macht ein anderes Gerät unter „Geräte und Tokens“ oder der Server: goals token add --link"],
  signInFailed: ["The server can't be reached. What you entered is still here; try again.", "Der Server ist nicht zu erreichen. Deine Eingabe ist noch da; versuch es noch einmal."],
  signInHelp: ["Use a link that the server printed, or that another of your devices shows under “Devices and tokens”. A token will do, too.", "Nimm einen Link, den der Server ausgegeben hat oder ein anderes deiner Geräte unter „Geräte und Tokens“ zeigt. Ein Token geht auch."],
  signInNeeded: [
    "This sign-in has ended, or the account was removed. Please sign in again. Everything you counted is still here.",
    "Diese Anmeldung ist beendet, oder das Konto wurde entfernt. Bitte melde dich wieder an. Alles Gezählte ist noch da."],
  signInNone: ["This is neither a sign-in link nor a token.", "Das ist weder ein Anmelde-Link noch ein Token."],
  signInScope: ["This token may not be used for the page: it is for a single goal.", "Dieses Token gilt nicht für die Seite: Es ist nur für ein einzelnes Ziel."],
  signOut: ["Sign out", "Abmelden"],
  signOutHelp: ["This device forgets your goals. They stay on the server.", "Dieses Gerät vergisst deine Ziele. Auf dem Server bleiben sie."],
  signOutWaits: [
    forms("{n} change was not sent yet and would be lost.", "{n} changes were not sent yet and would be lost."),
    forms("{n} Änderung ist noch nicht gesendet und ginge verloren.", "{n} Änderungen sind noch nicht gesendet und gingen verloren.")],
  signingIn: ["Signing in …", "Anmeldung läuft …"],
  skip: ["Skip this time", "Diesmal aussetzen"],
  starting: ["Starting …", "Startet …"],
  unskip: ["Count it after all", "Doch zählen"],
  unskipped: ["{title} counts again", "{title} zählt wieder"],
  skipHelp: ["Your streak stays.", "Deine Serie bleibt."],
  skipToContent: ["Skip to the goals", "Zu den Zielen springen"],
  status: ["Sync with the server", "Abgleich mit dem Server"],
  suggestCall: ["Call the family", "Familie anrufen"],
  suggestMove: ["Go for a run", "Laufen gehen"],
  suggestRead: ["Read a little", "Ein wenig lesen"],
  suggestSleep: ["In bed before eleven", "Vor elf ins Bett"],
  suggestWater: ["Drink water", "Wasser trinken"],
  suggestYoga: ["Yoga", "Yoga"],
  glasses: ["glasses", "Gläser"],
  theme: ["Every goal has its own rhythm", "Jedes Ziel hat seinen Rhythmus"],
  thisMonth: ["This month", "Diesen Monat"],
  thisWeek: ["This week", "Diese Woche"],
  title: ["Title", "Titel"],
  titleMissing: ["A goal needs a title.", "Ein Ziel braucht einen Titel."],
  today: ["Today", "Heute"],
  tooLong: ["Too long by {n}: {most} characters fit here.", "Um {n} zu lang: {most} Zeichen passen hinein."],
  undo: ["Undo", "Rückgängig"],
  unchanged: ["Nothing was changed", "Nichts wurde geändert"],
  unit: ["Unit", "Einheit"],
  unitHelp: ["Such as km or glasses. It may stay empty.", "Etwa km oder Gläser. Kann leer bleiben."],
  upToDate: ["Up to date", "Aktuell"],
  upToDateBut: ["Everything else is on the server.", "Alles andere ist auf dem Server."],
  upToDateHelp: ["Everything you counted is on the server.", "Alles Gezählte ist auf dem Server."],
  waiting: [forms("{n} waiting", "{n} waiting"), forms("{n} wartet", "{n} warten")],
  waitingHere: [forms("{n} change waits to be sent", "{n} changes wait to be sent"), forms("{n} Änderung wartet auf das Senden", "{n} Änderungen warten auf das Senden")],
  weeklyOfUnit: ["{n} {unit} a week", "{n} {unit} in der Woche"],
  weeklySpans: [forms("{n} week", "{n} weeks"), forms("{n} Woche", "{n} Wochen")],
  weeklyStreak: [forms("{n} week in a row", "{n} weeks in a row"), forms("{n} Woche in Folge", "{n} Wochen in Folge")],
  weeklyTimes: [forms("Once a week", "{n} times a week"), forms("Einmal in der Woche", "{n}-mal in der Woche")],
  // What is wrong with a field, by its name in the contract.
  fault_by: ["A whole number up to {most}, and not 0.", "Eine ganze Zahl bis {most}, und nicht 0."],
  fault_day: ["A day from the year 2000 on, and not after today.", "Ein Tag ab dem Jahr 2000, und nicht nach heute."],
  fault_dayStart: ["A day begins at 12:00 at noon at the latest.", "Ein Tag beginnt spätestens um 12:00 mittags."],
  fault_frequency: ["A whole number from 1 to {most}.", "Eine ganze Zahl von 1 bis {most}."],
  fault_name: ["A name has 1 to 100 characters in one line.", "Ein Name hat 1 bis 100 Zeichen in einer Zeile."],
  fault_title: ["A title has 1 to 200 characters that can be seen.", "Ein Titel hat 1 bis 200 Zeichen, die man sehen kann."],
  fault_unit: ["A unit has up to 20 characters that can be seen.", "Eine Einheit hat bis zu 20 Zeichen, die man sehen kann."],
  // Why something was refused, by the code in the contract.
  "reason_account-not-empty": ["There is something in this account already. Only an empty one can take an import.", "In diesem Konto ist schon etwas. Nur ein leeres kann einen Import aufnehmen."],
  "reason_below-zero": ["No day can count less than 0.", "Kein Tag kann weniger als 0 zählen."],
  reason_forbidden: ["This sign-in may not do that.", "Diese Anmeldung darf das nicht."],
  "reason_in-future": ["That is still to come.", "Das liegt noch in der Zukunft."],
  "reason_inactive-goal": ["The goal rests.", "Das Ziel ruht."],
  reason_invalid: ["Something in it is not allowed.", "Etwas darin ist nicht erlaubt."],
  "reason_limit-reached": ["The account has as many as it can hold.", "Das Konto hat so viele, wie es aufnehmen kann."],
  "reason_not-undoable": ["It is taken back already, or what came later depends on it.", "Es ist schon rückgängig, oder Späteres hängt davon ab."],
  reason_other: ["The server did not take it.", "Der Server hat es nicht angenommen."],
  "reason_unknown-edit": ["The server does not have it.", "Der Server hat es nicht."],
  "reason_unknown-goal": ["The goal was deleted on another device.", "Das Ziel wurde auf einem anderen Gerät gelöscht."],
  "reason_unknown-time-zone": ["There is no such time zone.", "So eine Zeitzone gibt es nicht."],
  // Colours, by their names in the contract.
  blue: ["Blue", "Blau"], cyan: ["Cyan", "Türkis"], green: ["Green", "Grün"], yellow: ["Yellow", "Gelb"],
  orange: ["Orange", "Orange"], red: ["Red", "Rot"], purple: ["Purple", "Violett"], ownColour: ["Another colour", "Andere Farbe"],
  // Edits, as the list of what happened and of what waits calls them.
  did_add: ["{title} added", "{title} hinzugefügt"],
  did_alter: ["{title} changed", "{title} geändert"],
  did_bump: ["{title} {by}", "{title} {by}"],
  did_configure: ["Calendar changed", "Kalender geändert"],
  did_delete: ["{title} deleted", "{title} gelöscht"],
  did_move: ["{title} moved", "{title} verschoben"],
  did_redoOf: ["Done again: {what}", "Wiederhergestellt: {what}"],
  did_setActivity: ["Active goals changed", "Aktive Ziele geändert"],
  did_skip: ["{title} skipped", "{title} ausgesetzt"],
  did_undo: ["Taken back", "Rückgängig gemacht"],
  did_undoOf: ["Taken back: {what}", "Rückgängig gemacht: {what}"],
  did_update: ["{title} changed", "{title} geändert"],
  unknownGoal: ["A goal", "Ein Ziel"],
};

const languages = ["en", "de"];

/** The language of the page: the person's first that it is written in. */
export const language =
  navigator.languages.map((one) => one.split("-")[0]).find((one) => languages.includes(one)) ?? "en";

const column = languages.indexOf(language);
const plural = new Intl.PluralRules(language);

/** Letters that are written from right to left, and marks that turn the direction. */
const turning = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * What a person wrote in such letters, so that it does not turn what is around it (UAX #9 §2.4.2).
 *
 * @param {string} words
 */
export const isolated = (words) => (turning.test(words) ? `\u2068${words}\u2069` : words);
/**
 * Whether there is such a text.
 *
 * @param {string} name
 */
export const has = (name) => name in table;

/**
 * A text with its values.
 *
 * @param {string} name
 * @param {Record<string, any>} values
 */
export function text(name, values = {}) {
  const found = table[name]?.[column];
  if (found === undefined) throw new Error(`there is no text ${name}`);
  const form = typeof found === "string" ? found : found[plural.select(values.count)] ?? found.other;
  return form.replace(/\{(\w+)\}/g, (_, part) => isolated(values[part] ?? ""));
}
