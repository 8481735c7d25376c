import type { ReceivedRequest } from '@steward/testing';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';

/**
 * Verifies a request with the three public packages that receivers use; returns the event. Throws if one of them
 * rejects it.
 */
export function verifyRequest(request: ReceivedRequest, secret: string): unknown {
  const stripe = new Stripe('sk_test_unused');
  const event = stripe.webhooks.constructEvent(request.body, String(request.headers['x-service-signature']), secret);
  const headers = request.headers as Record<string, string>;
  new StandardWebhook(secret).verify(request.body.toString(), headers);
  new SvixWebhook(secret).verify(request.body.toString(), headers);
  return event;
}
