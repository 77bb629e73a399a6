-- Where the extension Citus is: the tables of accounts over its nodes, each account with all its rows on one.
-- A round is a transaction over all shards, so there are few of them.
--
-- Tokens and sessions stay on the coordinator. There are few, they are looked for by their ids and their
-- accounts, too, and a distributed table's unique indexes hold the column that it is distributed by.
SELECT create_distributed_table('account', 'id', colocate_with => 'none', shard_count => 4);
SELECT create_distributed_table('edit', 'account', colocate_with => 'account');
SELECT create_distributed_table('undo_chain', 'account', colocate_with => 'account');
SELECT create_distributed_table('snapshot', 'account', colocate_with => 'account');
SELECT create_distributed_table('goal', 'account', colocate_with => 'account');
SELECT create_distributed_table('day', 'account', colocate_with => 'account');
SELECT create_distributed_table('note', 'account', colocate_with => 'account');
