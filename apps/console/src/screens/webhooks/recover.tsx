import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { recover, recoveryQuery, webhooksKey, type RecoverRange } from '../../queries/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from './webhooks.module.css';

interface Props {
  /** The endpoint whose dead letters are sent again; default: all endpoints. */
  readonly endpointId: string | undefined;
  readonly onClose: () => void;
}

/** Counts the dead letters of a time range, and sends them again when the user confirms. */
export function Recover({ endpointId, onClose }: Props) {
  const [range, setRange] = useState<RecoverRange>();
  const count = useChange((given: RecoverRange) => recover(given, { isDryRun: true }), webhooksKey);
  const send = useChange((given: RecoverRange) => recover(given, { isDryRun: false }), webhooksKey);
  const recoveryId = send.data?.recovery_id ?? undefined;
  const matched = count.data?.matched;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const toIso = (name: string): string => new Date(String(form.get(name))).toISOString();
    const given = { endpoint_id: endpointId, since: toIso('since'), until: toIso('until') };
    setRange(given);
    count.mutate(given);
  }

  return (
    <Dialog title="Recover dead letters" onClose={onClose}>
      <div className={styles['form']}>
        <form className={styles['form']} onSubmit={submit}>
          <Field label="Since" name="since" type="datetime-local" required defaultValue={toLocal(aWeekAgo())} />
          <Field label="Until" name="until" type="datetime-local" required defaultValue={toLocal(new Date())} />
          <Button type="submit" aria-busy={count.isPending}>
            Count
          </Button>
        </form>
        {count.error !== null && <ErrorState error={count.error} />}
        {matched === 0 && <p role="status">There are no dead letters to send again in this time range.</p>}
        {matched !== undefined && matched > 0 && range !== undefined && send.data === undefined && (
          <Button look="primary" aria-busy={send.isPending} onClick={() => send.mutate(range)}>
            {`Send ${matched} again`}
          </Button>
        )}
        {send.error !== null && <ErrorState error={send.error} />}
        {recoveryId !== undefined && <Progress recoveryId={recoveryId} />}
      </div>
    </Dialog>
  );
}

function Progress({ recoveryId }: { readonly recoveryId: string }) {
  const { data } = useQuery(recoveryQuery(recoveryId));
  if (data === undefined) return null;
  return (
    <p role="status">
      {data.status === 'running' ? 'Sending' : 'Sent'} {data.queued} of {data.matched}
      {(data.skipped ?? 0) > 0 ? `, ${data.skipped} skipped (endpoint inactive or deleted, or already sent again)` : ''}
    </p>
  );
}

/** Returns the default start of the range: failures of receivers are usually noticed within a week. */
const aWeekAgo = (): Date => new Date(Date.now() - 7 * 86_400_000);

/** Returns the value for a date and time field, rounded up so that it includes the current minute. */
function toLocal(now: Date): string {
  const next = new Date(now.getTime() + 60_000 - now.getTimezoneOffset() * 60_000);
  return next.toISOString().slice(0, 16);
}
