import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import { removeEndedSubscriptions } from '@steward/webhooks';

const LOOK_EVERY_SECONDS = 5;

/**
 * Creates the task that removes ended push subscriptions: their push service no longer knows them or has not accepted a
 * message for hours, their login has ended, or their user was deactivated.
 */
export function createEndedSubscriptionsTask({
  db,
  logger,
}: {
  readonly db: AnyDatabase;
  readonly logger: Logger;
}): Component {
  return createBackgroundTask({
    name: 'ended subscriptions',
    everySeconds: LOOK_EVERY_SECONDS,
    logger,
    run: async () => {
      const subscriptions = await removeEndedSubscriptions(db);
      if (subscriptions > 0) logger.info('push.subscriptions_removed', { subscriptions });
    },
  });
}
