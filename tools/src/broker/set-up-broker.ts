import { connectBroker } from '@steward/broker';
import { createLogger, createMetrics, type TlsFiles } from '@steward/process';

/**
 * Updates the streams and consumers of the broker to those of this build, as the broker's operator. The apps themselves
 * create missing ones; only the operator may change existing ones.
 */
export async function setUpBroker(
  url: string,
  options: { readonly tls?: TlsFiles; readonly replicas?: number | undefined } = {},
): Promise<void> {
  const logger = createLogger({ service: 'operator', level: 'warn', pretty: true });
  const broker = await connectBroker({ ...options, url, name: 'operator', logger, metrics: createMetrics('operator') });
  try {
    await broker.ensureStreams();
  } finally {
    await broker.close();
  }
}
