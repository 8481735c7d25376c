import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

/** The administrator who does things behind the broker's back: deletes streams, looks at dead letters. Tests only. */
export async function withJetStream<T>(url: string, act: (jsm: JetStreamManager) => Promise<T>): Promise<T> {
  const nc = await connect({ servers: url });
  try {
    return await act(await jetstreamManager(nc));
  } finally {
    await nc.close();
  }
}
