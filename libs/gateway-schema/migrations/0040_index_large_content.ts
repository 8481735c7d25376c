import { createIndexOnline, type SliceMigration } from '@steward/database';

/** Finds large bodies that are in the database, the largest first. Smaller ones are never moved (LIM-113). */
export const indexLargeContent: SliceMigration = {
  isOnline: true,
  up: (db) =>
    createIndexOnline(db, {
      schema: 'gateway',
      name: 'session_content_large_index',
      definition: `on gateway.session_content (content_size_bytes desc, account_id, id)
        where content_object is null and content_size_bytes >= 16384
          and kind in ('gateway_interaction', 'tool_call', 'transcript_message')`,
    }),
};
