import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

type Refuse = (offer: { readonly to: string; readonly attempt: number }) => boolean;

export interface MailServer {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Responds with 451 to the matching mails. Attempts are counted per recipient, from 1. */
  refuse(refuse: Refuse): void;
  close(): Promise<void>;
}

/** Starts a mail server that stores received mails. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const attempts = new Map<string, number>();
  let isRefused: Refuse = () => false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const attempt = (attempts.get(address) ?? 0) + 1;
      attempts.set(address, attempt);
      if (!isRefused({ to: address, attempt })) return done();
      done(Object.assign(new Error('try again later'), { responseCode: 451 }));
    },
    onData(stream, { envelope }, done) {
      void text(stream).then((raw) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw });
        done();
      }, done);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: (refuse) => (isRefused = refuse),
    close: () => (closing ??= new Promise((resolve) => server.close(() => resolve()))),
  };
}
