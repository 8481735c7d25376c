import { createTargetGuard } from '@steward/egress';
import { setting } from '@steward/process';

/**
 * Delivery settings of gateway and dispatcher, which must use the same values: the gateway publishes the time limit and
 * checks URLs with the other settings; the dispatcher applies all of them.
 */
export const webhookSettings = {
  webhookDeliveryTimeoutSeconds: setting.number('WEBHOOK_DELIVERY_TIMEOUT_SECONDS', {
    default: 10,
    min: 0.1,
    max: 120,
    unit: 'seconds',
    description:
      'Time limit of one attempt, from the first DNS query to the status line. The catalog publishes it to receivers; it must be the same on gateway and dispatcher.',
  }),
  webhookBlockPrivateTargets: setting.boolean('WEBHOOK_BLOCK_PRIVATE_TARGETS', {
    default: false,
    description:
      'Refuses endpoint URLs that resolve to loopback, link-local, private or reserved addresses, and connections to them. Must be the same on gateway and dispatcher.',
  }),
  webhookAllowedPrivateCidrs: setting.list('WEBHOOK_ALLOWED_PRIVATE_CIDRS', {
    check: (entry) => void createTargetGuard([entry]),
    description: 'Networks that remain allowed while private addresses are blocked, comma separated.',
  }),
  pushAllowedPrivateCidrs: setting.list('PUSH_ALLOWED_PRIVATE_CIDRS', {
    check: (entry) => void createTargetGuard([entry]),
    description:
      'Networks in which push services of browsers may be, comma separated. Their addresses come from browsers: all other private addresses are refused, whatever WEBHOOK_BLOCK_PRIVATE_TARGETS says. Must be the same on gateway and dispatcher.',
  }),
  webhookAllowedPorts: setting.integers('WEBHOOK_ALLOWED_PORTS', {
    min: 1,
    max: 65_535,
    description:
      'Ports that webhooks may be delivered to, comma separated; empty means every port. Must be the same on gateway and dispatcher.',
  }),
} as const;
