import type { Static } from '@sinclair/typebox';
import { requireFound, requireLogin, requirePushTarget } from '@steward/api';
import { recordAudit } from '@steward/audit';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, pageOf, PlainPageQuery, tagRoutes, type Route } from '@steward/http';
import { toStorableText } from '@steward/text';
import {
  chooseNotices,
  ensurePushKey,
  isBrowserKey,
  listSubscriptions,
  MAX_SUBSCRIPTIONS_PER_USER,
  subscribe,
  unsubscribe,
  type PushSubscription,
} from '@steward/webhooks';
import { requireHttps } from '../require-https.ts';
import type { EventWebhooksDeps } from '../webhooks-deps.ts';
import {
  ChooseNoticesBody,
  PushKeyAnswer,
  SubscribeBody,
  SubscriptionAnswer,
  SubscriptionParams,
} from './push-schemas.ts';

const PATH = '/api/v1/users/me/push-subscriptions';

/** Creates the routes for notices to the browsers of the caller (docs/contract/notices.md). */
export function createPushRoutes(deps: EventWebhooksDeps): Route[] {
  return tagRoutes('notice-channels', [
    createReadKeyRoute(deps),
    createListRoute(deps),
    createSubscribeRoute(deps),
    createChooseRoute(deps),
    createUnsubscribeRoute(deps),
  ]);
}

function createReadKeyRoute({ db, secretBoxes }: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'readPushKey',
    method: 'get',
    path: '/api/v1/push-key',
    summary: 'Read the public key (VAPID) with which a browser subscribes to notices of this deployment.',
    responses: { 200: { description: 'The key.', name: 'PushKey', schema: PushKeyAnswer } },
    handler: async ({ principal }) => {
      requireLogin(principal);
      return { status: 200, body: { public_key: await ensurePushKey(db, secretBoxes.webhook) } };
    },
  });
}

function createListRoute({ db }: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'listPushSubscriptions',
    method: 'get',
    path: PATH,
    summary: 'List your browsers that get notices, newest first.',
    query: PlainPageQuery,
    responses: {
      200: { description: 'All browsers.', name: 'PushSubscription', schema: pageOf(SubscriptionAnswer) },
    },
    handler: async ({ principal }) => {
      const loginId = requireLogin(principal);
      const subscriptions = await listSubscriptions(db, principal.userId);
      return { status: 200, body: { items: subscriptions.map((each) => present(each, loginId)), next_cursor: null } };
    },
  });
}

function createSubscribeRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'createPushSubscription',
    method: 'post',
    path: PATH,
    permissions: [],
    summary:
      'Subscribe a browser to notices, until its login ends. If the browser is already subscribed, its subscription is replaced.',
    body: SubscribeBody,
    bodyExample: {
      url: 'https://push.example.com/send/abc',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
      notices: ['approval.created'],
    },
    responses: {
      201: { description: 'The subscription.', name: 'PushSubscription', schema: SubscriptionAnswer },
    },
    audit: { resourceType: 'push_subscription' },
    handler: async ({ body, principal, audit }) => {
      const { accountId, userId } = principal;
      const loginId = requireLogin(principal);
      const { url, keys, notices } = body;
      requireBrowser(body);
      await requirePushTarget(url, deps);
      const description = toStorableText(body.description ?? '');
      const input = { accountId, userId, loginId, url, keys, notices, description };
      const subscription = await transact(deps, async (trx) => {
        const outcome = await subscribe(trx, input, deps.secretBoxes.webhook);
        if (outcome.kind === 'limit_reached')
          throw new AppError('quota_reached', { detail: { limit: MAX_SUBSCRIPTIONS_PER_USER } });
        await recordAudit(trx, audit({ resourceId: outcome.subscription.id, details: { notices } }));
        return outcome.subscription;
      });
      return { status: 201, body: present(subscription, loginId) };
    },
  });
}

function createChooseRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'updatePushSubscription',
    method: 'patch',
    path: `${PATH}/{subscription_id}`,
    permissions: [],
    summary: 'Choose which notices are pushed to one of your browsers.',
    params: SubscriptionParams,
    body: ChooseNoticesBody,
    bodyExample: { notices: ['approval.created', 'budget.exceeded'] },
    responses: {
      200: { description: 'The subscription.', name: 'PushSubscription', schema: SubscriptionAnswer },
    },
    audit: { resourceType: 'push_subscription' },
    handler: async ({ params: { subscription_id: subscriptionId }, body, principal, audit }) => {
      const { accountId, userId } = principal;
      const loginId = requireLogin(principal);
      const subscription = await transact(deps, async (trx) => {
        const changed = await chooseNotices(trx, { accountId, userId, subscriptionId }, body.notices);
        const found = requireFound(changed);
        await recordAudit(trx, audit({ resourceId: subscriptionId, details: { notices: body.notices } }));
        return found;
      });
      return { status: 200, body: present(subscription, loginId) };
    },
  });
}

function createUnsubscribeRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'deletePushSubscription',
    method: 'delete',
    path: `${PATH}/{subscription_id}`,
    permissions: [],
    summary: 'Unsubscribe one of your browsers from notices.',
    params: SubscriptionParams,
    responses: { 204: { description: 'Deleted.' } },
    audit: { resourceType: 'push_subscription' },
    handler: async ({ params: { subscription_id: subscriptionId }, principal, audit }) => {
      const { accountId, userId } = principal;
      requireLogin(principal);
      await transact(deps, async (trx) => {
        if (!(await unsubscribe(trx, { accountId, userId, subscriptionId }))) throw new AppError('not_found');
        await recordAudit(trx, audit({ resourceId: subscriptionId, details: {} }));
      });
      return { status: 204 };
    },
  });
}

/**
 * Checks a subscription, because everyone with a login may send one: the URL must use https, as push services do (RFC
 * 8030), and the key must be valid.
 */
function requireBrowser({ url, keys }: Static<typeof SubscribeBody>): void {
  requireHttps(url);
  if (!isBrowserKey(keys.p256dh))
    throw new AppError('invalid_request', {
      message: 'The key of the browser is not a point on the curve P-256.',
      detail: { field: 'keys.p256dh' },
    });
}

function present(subscription: PushSubscription, loginId: string): Static<typeof SubscriptionAnswer> {
  return {
    id: subscription.id,
    description: subscription.description,
    push_service: subscription.origin,
    current: subscription.loginId === loginId,
    notices: [...subscription.notices],
    last_delivery_status: subscription.lastDeliveryStatus,
    last_delivery_at: subscription.lastDeliveryAt?.toISOString() ?? null,
    last_error: subscription.lastError,
    created_at: subscription.createdAt.toISOString(),
  };
}
