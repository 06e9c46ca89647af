-- Spreads the tables of a deployment over the servers of a Citus cluster, by mailbox.
--
-- This was not run on Citus: a test reads it and checks that every table is named and that Citus's rules for keys are
-- kept, no more. What is known to need attention is in docs/scale.md.
--
--   1. Make the cluster and an empty database, add the workers, and CREATE EXTENSION citus in that database.
--   2. Start one node of Mailkin with database_url at the coordinator and database_partitions=0, and stop it: it makes
--      the tables.
--   3. psql --single-transaction --file deploy/citus.sql URL, before there is any mail.
--   4. Start the nodes. After an upgrade look here for tables that are new.

-- A unique index of a distributed table has to hold the mailbox.
DROP INDEX drafts_id;
CREATE UNIQUE INDEX drafts_id ON drafts (id, box);

-- The row that is locked for everything about a mailbox. What else is a mailbox's lies with it, so that a transaction
-- of one mailbox stays on one server.
SELECT create_distributed_table('counters', 'box', shard_count => 128);

SELECT create_distributed_table('contacts', 'box', colocate_with => 'counters');
SELECT create_distributed_table('deliveries', 'box', colocate_with => 'counters');
SELECT create_distributed_table('docs', 'box', colocate_with => 'counters');
SELECT create_distributed_table('draft_files', 'box', colocate_with => 'counters');
SELECT create_distributed_table('drafts', 'box', colocate_with => 'counters');
SELECT create_distributed_table('events', 'box', colocate_with => 'counters');
SELECT create_distributed_table('history', 'box', colocate_with => 'counters');
SELECT create_distributed_table('hook_routes', 'box', colocate_with => 'counters');
SELECT create_distributed_table('hooks', 'box', colocate_with => 'counters');
SELECT create_distributed_table('idempotents', 'box', colocate_with => 'counters');
SELECT create_distributed_table('index_asked', 'box', colocate_with => 'counters');
SELECT create_distributed_table('index_blocks', 'box', colocate_with => 'counters');
SELECT create_distributed_table('index_dropped', 'box', colocate_with => 'counters');
SELECT create_distributed_table('index_renewals', 'box', colocate_with => 'counters');
SELECT create_distributed_table('index_segments', 'box', colocate_with => 'counters');
SELECT create_distributed_table('index_unmerged', 'box', colocate_with => 'counters');
SELECT create_distributed_table('index_vectors', 'box', colocate_with => 'counters');
SELECT create_distributed_table('labels', 'box', colocate_with => 'counters');
SELECT create_distributed_table('lists', 'box', colocate_with => 'counters');
SELECT create_distributed_table('merged', 'box', colocate_with => 'counters');
SELECT create_distributed_table('messages', 'box', colocate_with => 'counters');
SELECT create_distributed_table('paces', 'box', colocate_with => 'counters');
SELECT create_distributed_table('part_texts', 'box', colocate_with => 'counters');
SELECT create_distributed_table('refs', 'box', colocate_with => 'counters');
SELECT create_distributed_table('reviews', 'box', colocate_with => 'counters');
SELECT create_distributed_table('suppressions', 'box', colocate_with => 'counters');
SELECT create_distributed_table('tallies', 'box', colocate_with => 'counters');
SELECT create_distributed_table('text_work', 'box', colocate_with => 'counters');

-- The coordinator keeps what is found by something else than the mailbox, or is small:
--   addresses audit_chain audits bootstraps certs claims deployment domain_reports domains era forgotten gone
--   hook_targets index_number index_progress key_boxes keys leases mailboxes migrations nodes observations ping places
--   policies probe purges quarantine quotas rejects retired secrets topics
