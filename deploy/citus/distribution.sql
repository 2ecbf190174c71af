-- Distributes the tables of organizations with Citus. See docs/decisions/0043-distribution.md.
--
-- Untested: no test runs Citus. tenant-layout.test.ts checks that this script names every table it has to.
-- Run it once, as the owner of the tables, after the migrations. Replace the coordinator's address first.

-- Citus distributes no table with triggers. These fill in the organization of favorites for an older release, which
-- doesn't write it; no later release needs them.
drop function fill_organization_of_mark() cascade;

select citus_set_coordinator_host('coordinator.example', 5432);

select create_reference_table('users'), create_reference_table('plans'),
  create_reference_table('organizations'), create_reference_table('stored_objects');

-- In the order of the foreign keys.
select create_distributed_table('memberships', 'organization_id', colocate_with => 'none');
select create_distributed_table(name, 'organization_id', colocate_with => 'memberships')
  from unnest(array['organization_usage', 'invitations', 'invitation_tokens',
    'collections', 'collection_favorites', 'assets', 'asset_versions', 'asset_favorites', 'uploads',
    'projects', 'tasks', 'column_sections', 'task_assignees', 'comments']) with ordinality as tables (name, place)
  order by place;
