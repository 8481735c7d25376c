import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Notices for people are deliveries: a channel is an endpoint whose messages have the format of its service. The
 * dispatcher, which opens circuit breakers, queues the notices about them.
 */
export const addNoticeChannels: Migration = {
  async up(db) {
    await sql`
      alter table webhooks.endpoint
        add column channel_kind text,
        add constraint endpoint_channel_kind_check
          check ((source = 'notice_channel') = (channel_kind is not null)) not valid,
        drop constraint endpoint_source_check,
        add constraint endpoint_source_check check (
          source in ('account', 'approval_workflow', 'approval_chat', 'mail', 'listener', 'notice_channel')
        ) not valid
    `.execute(db);
    await sql`
      grant insert on webhooks.event, webhooks.listener_event to steward_webhook_dispatcher
    `.execute(db);
    await sql`
      grant execute on function webhooks.pick_shard(uuid, integer, integer, boolean) to steward_webhook_dispatcher
    `.execute(db);
  },
};
