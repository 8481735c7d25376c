import styles from './webhooks.module.css';

/** A minimal receiver, which needs only Node and no package. */
const RECEIVER = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const parts = String(request.headers['x-service-signature']).split(',').map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '0';
  const signed = createHmac('sha256', process.env.WEBHOOK_SECRET).update(\`\${time}.\`).update(body).digest('hex');
  const isOurs = parts.some(([name, value]) => name === 'v1' && value.length === 64 && timingSafeEqual(Buffer.from(value), Buffer.from(signed)));
  const isFresh = Math.abs(Date.now() / 1000 - Number(time)) < 300;
  response.writeHead(isOurs && isFresh ? 200 : 400).end();
  if (isOurs && isFresh) console.log(JSON.parse(body));
}).listen(9000);
`;

/** Introduction to endpoints, shown while there are no endpoints. */
export function FirstReceiver() {
  return (
    <div className={styles['teach']}>
      <p>
        An endpoint is a URL of your application that receives events, for example when a session ends, a run fails or
        an approval is needed. Each event is posted as signed JSON. If your receiver does not respond with 2xx, the
        delivery is retried.
      </p>
      <p>
        The headers <code>X-Service-Event-Id</code>, <code>X-Service-Event-Type</code> and{' '}
        <code>X-Service-Signature</code> contain the id, the type and the signature of the event. A complete receiver:
      </p>
      {/* A scrollable element has to be reachable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label="Example receiver">
        {RECEIVER}
      </pre>
    </div>
  );
}
