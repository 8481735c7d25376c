import { createTransport } from 'nodemailer';
import type { SecretBox } from '@steward/crypto';
import { openMail, type ClaimedDelivery } from '@steward/webhooks';
import { NOT_MEASURED, withhold, type AttemptFacts, type Channel, type ChannelResult } from '../engine/channel.ts';

export interface SmtpChannelDeps {
  /** URL of the mail server; undefined if the operator configured none. */
  readonly url: string | undefined;
  readonly timeoutMs: number;
  readonly secretBox: Pick<SecretBox, 'open'>;
}

/** Maximum number of connections; few are enough, because there are far fewer emails than webhook deliveries. */
const MAX_CONNECTIONS = 2;

/**
 * Creates the channel that sends deliveries as email. An email that the server refuses is retried like any other
 * delivery, because most such errors are temporary.
 */
export function createSmtpChannel({ url, timeoutMs, secretBox }: SmtpChannelDeps): Channel {
  const transport = url === undefined ? undefined : createSender(url, timeoutMs);
  return {
    async attempt(claim) {
      if (transport === undefined) return { kind: 'own_fault', reason: 'SMTP_URL is not set' };
      const { body } = claim;
      if (body === null) return { kind: 'own_fault', reason: 'the mail is missing' };
      if (body.byteLength === 0) return WITHDRAWN;
      try {
        const mail = openMail(body, claim.endpointId, secretBox);
        return await send(transport, claim, mail);
      } catch (cause) {
        return { kind: 'own_fault', reason: 'the mail cannot be decrypted; check ENDPOINT_SECRET_KEY', cause };
      }
    },
    close() {
      transport?.close();
      return Promise.resolve();
    },
  };
}

type Sender = ReturnType<typeof createSender>;

function createSender(url: string, timeoutMs: number) {
  return createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

async function send(sender: Sender, claim: ClaimedDelivery, mail: ReturnType<typeof openMail>): Promise<ChannelResult> {
  const startedAt = performance.now();
  const end = (
    outcome: Pick<AttemptFacts, 'succeeded' | 'responseStatus' | 'error' | 'errorClass'>,
  ): ChannelResult => ({
    kind: 'attempted',
    facts: { ...outcome, ...NOT_MEASURED, durationMs: Math.round(performance.now() - startedAt) },
  });
  try {
    // An email that is sent again, for example after a crash, has the same id: most email clients show it once.
    const messageId = `<${claim.eventId}@steward.invalid>`;
    const { response } = await sender.sendMail({ ...mail, messageId });
    return end({ succeeded: true, responseStatus: readStatus(response), error: null, errorClass: null });
  } catch (error) {
    const { responseCode = null, code = '' } = error as { responseCode?: number; code?: string };
    const isRefused = responseCode !== null;
    return end({
      succeeded: false,
      responseStatus: responseCode,
      error: isRefused ? `SMTP ${responseCode}` : `the mail server cannot be reached${code === '' ? '' : ` (${code})`}`,
      errorClass: isRefused ? 'smtp_status' : code === 'ETIMEDOUT' ? 'timeout' : 'connection_lost',
    });
  }
}

/** Result for an event whose subject is deleted (EVT-18): the email is not sent, and not retried. */
const WITHDRAWN = withhold('its subject was deleted');

function readStatus(response: string): number | null {
  const status = Number(/^\d{3}/.exec(response)?.[0]);
  return Number.isNaN(status) ? null : status;
}
