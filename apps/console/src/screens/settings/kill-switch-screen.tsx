import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { countNoun } from '@steward/text';
import type { KillSwitch, KillSwitchResult } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { killSwitchQuery, throwKillSwitch } from '../../queries/kill-switch.ts';
import { overviewQuery } from '../../queries/overview.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import styles from '../../ui/stack.module.css';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';

/** Word that has to be typed as a confirmation. */
const WORD = 'stop';

/** Stops all agents of the account at once, or lets them act again. */
export function KillSwitchScreen() {
  const query = useQuery(killSwitchQuery());
  const client = useQueryClient();
  const [asked, setAsked] = useState<'engage' | 'release'>();
  const [thrown, setThrown] = useState<KillSwitchResult>();
  const refusal = useRefusal('manage_kill_switch');
  const close = (): void => setAsked(undefined);
  const send = async (engaged: boolean, reason?: string): Promise<void> => {
    setThrown(await throwKillSwitch(engaged, reason));
    await Promise.all(
      [killSwitchQuery(), overviewQuery()].map(({ queryKey }) => client.invalidateQueries({ queryKey })),
    );
  };
  return (
    <Page title="Kill switch">
      <Loaded what="the kill switch" query={query}>
        {(found) => (
          <section className={styles['stack']} aria-label="State">
            <State found={found} />
            {thrown !== undefined && <Ended thrown={thrown} />}
            <div className={styles['actions']}>
              {found.engaged ? (
                <Button look="primary" disabledReason={refusal} onClick={() => setAsked('release')}>
                  Let agents act again
                </Button>
              ) : (
                <Button look="danger" disabledReason={refusal} onClick={() => setAsked('engage')}>
                  Stop all agents
                </Button>
              )}
            </div>
          </section>
        )}
      </Loaded>
      {asked === 'engage' && (
        <FormDialog
          title="Stop all agents"
          action="Stop all agents"
          onClose={close}
          onSend={({ reason = '' }) => send(true, reason.trim())}
        >
          {(errorOf) => (
            <>
              <p>
                All model calls and tool calls will be refused, and no flow can be started. Active runs are stopped, and
                pending approval requests are cancelled. Stopped runs do not resume.
              </p>
              <Field label="Reason" name="reason" required maxLength={500} error={errorOf('reason')} />
              <Field label={`Type "${WORD}"`} name="word" required pattern={WORD} autoComplete="off" />
            </>
          )}
        </FormDialog>
      )}
      {asked === 'release' && (
        <FormDialog title="Let agents act again" action="Release" onClose={close} onSend={() => send(false)}>
          {() => (
            <p>From now on, agents may make calls again, subject to policies and budgets. Stopped runs stay stopped.</p>
          )}
        </FormDialog>
      )}
    </Page>
  );
}

function State({ found: { engaged, reason, changed_at: at, changed_by: by } }: { readonly found: KillSwitch }) {
  return (
    <>
      <p>
        <StatusBadge tone={engaged ? 'bad' : 'ok'}>{engaged ? 'All agents are stopped' : 'Agents may act'}</StatusBadge>
      </p>
      {at !== null && (
        <p>
          Changed <TimeAgo at={at} />
          {by !== null && ` by ${by.username ?? 'a deleted user'}`}
          {reason !== null && `: ${reason}`}
        </p>
      )}
    </>
  );
}

function Ended({ thrown }: { readonly thrown: KillSwitchResult }) {
  const { engaged, stopped_executions: runs, cancelled_approval_requests: requests } = thrown;
  return (
    <Notice tone="ok" isNews>
      {engaged
        ? `${countNoun(runs, 'run was', 'runs were')} stopped, and ${countNoun(requests, 'request was', 'requests were')} cancelled.`
        : 'Agents may act again.'}
    </Notice>
  );
}
