import { DiscardPolicy, RetentionPolicy, type StreamConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { StreamPlan } from './nats-types.ts';

export function toRetention(plan: StreamPlan): RetentionPolicy {
  return plan.retention === 'work_queue' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits;
}

export function toStreamConfig(plan: StreamPlan) {
  return {
    name: plan.name,
    subjects: [...plan.subjects],
    discard: plan.whenFull === 'refuse_new' ? DiscardPolicy.New : DiscardPolicy.Old,
    max_age: nanos(plan.maxAgeSeconds * 1000),
    max_bytes: plan.maxBytes,
    duplicate_window: nanos(plan.duplicateWindowSeconds * 1000),
    num_replicas: plan.replicas,
  };
}

export function toStreamPlan(config: StreamConfig): StreamPlan {
  return {
    name: config.name,
    subjects: config.subjects,
    retention: config.retention === RetentionPolicy.Workqueue ? 'work_queue' : 'limits',
    whenFull: config.discard === DiscardPolicy.New ? 'refuse_new' : 'drop_old',
    maxAgeSeconds: config.max_age / 1e9,
    maxBytes: config.max_bytes,
    duplicateWindowSeconds: config.duplicate_window / 1e9,
    replicas: config.num_replicas,
  };
}
