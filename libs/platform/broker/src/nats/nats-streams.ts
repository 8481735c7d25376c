import { AckPolicy, DeliverPolicy, JetStreamApiCodes, StorageType, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import {
  CONSUMER_EXISTS,
  findViolation,
  hasCode,
  readRefusal,
  STREAM_NAME_IN_USE,
  SUBJECTS_OVERLAP,
} from './nats-errors.ts';
import { PermissionDeniedError, type NatsClient } from './nats-types.ts';
import { toRetention, toStreamConfig, toStreamPlan } from './stream-config.ts';

type NatsStreams = Pick<
  NatsClient,
  | 'purge'
  | 'findStream'
  | 'createStream'
  | 'updateStream'
  | 'upsertConsumer'
  | 'readLag'
  | 'readBacklog'
  | 'hasJetStream'
>;

/** Returns functions that manage streams and durable consumers. */
export function createNatsStreams(jsm: JetStreamManager): NatsStreams {
  const findStream: NatsStreams['findStream'] = async (name) => {
    try {
      return toStreamPlan((await jsm.streams.info(name)).config);
    } catch (error) {
      if (hasCode(error, JetStreamApiCodes.StreamNotFound)) return undefined;
      throw error;
    }
  };
  return {
    async purge(plan) {
      return (await jsm.streams.purge(plan.stream, { filter: plan.subject })).purged;
    },
    findStream,
    async createStream(plan) {
      try {
        await jsm.streams.add({ ...toStreamConfig(plan), retention: toRetention(plan), storage: StorageType.File });
        return 'created';
      } catch (error) {
        if (hasCode(error, STREAM_NAME_IN_USE)) return 'exists';
        // Two processes may create the stream simultaneously: the server checks the name before the subjects, so the
        // second process gets this error if the stream was created between these two checks.
        if (hasCode(error, SUBJECTS_OVERLAP) && (await findStream(plan.name)) !== undefined) return 'exists';
        throw readRefusal(error);
      }
    },
    async updateStream(plan) {
      try {
        await jsm.streams.update(plan.name, toStreamConfig(plan));
      } catch (error) {
        const violation = findViolation(error);
        throw violation === undefined
          ? readRefusal(error)
          : new PermissionDeniedError(violation.subject, { cause: error });
      }
    },
    async upsertConsumer(plan) {
      const limits = { ack_wait: nanos(plan.ackWaitSeconds * 1000), max_ack_pending: plan.maxAckPending };
      try {
        await jsm.consumers.add(plan.stream, {
          ...limits,
          durable_name: plan.durable,
          filter_subject: plan.subject,
          ack_policy: AckPolicy.Explicit,
          deliver_policy: DeliverPolicy.All,
          // The number of deliveries is not limited on the server: at the limit, the server would only stop delivering
          // the message, which would remain unnoticed in the work queue. This library itself counts deliveries and
          // moves the message to the dead-letter stream.
          max_deliver: -1,
        });
      } catch (error) {
        if (!hasCode(error, CONSUMER_EXISTS)) throw error;
        await jsm.consumers.update(plan.stream, plan.durable, limits);
      }
    },
    async readLag(plan) {
      const { num_pending: waiting, num_ack_pending: unacknowledged } = await jsm.consumers.info(
        plan.stream,
        plan.durable,
      );
      return { waiting, unacknowledged };
    },
    async readBacklog(stream) {
      const { messages, first_ts: oldest } = (await jsm.streams.info(stream)).state;
      // An empty stream has the year 1 as the time of its first message.
      return { messages, oldestAt: messages === 0 ? undefined : new Date(oldest) };
    },
    async hasJetStream() {
      try {
        await jsm.getAccountInfo();
        return true;
      } catch (error) {
        const disabled = error instanceof Error && /JetStreamNotEnabled|NoResponders|RequestError/.test(error.name);
        if (disabled || hasCode(error, JetStreamApiCodes.JetStreamNotEnabledForAccount)) return false;
        throw error;
      }
    },
  };
}
