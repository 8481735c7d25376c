import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { NoticeChannel, TestNotice } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { channelPath, channelsKey } from '../../queries/notices.ts';
import { deliveryQuery } from '../../queries/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from '../../ui/stack.module.css';
import { useChange } from '../../ui/use-change.ts';
import { ChannelDialog } from './channel-dialog.tsx';

export function ChannelActions({ channel }: { readonly channel: NoticeChannel }) {
  const path = channelPath(channel.id);
  const refusal = useRefusal('manage_policies');
  const test = useChange(() => request<TestNotice>('POST', `${path}/test`, { body: {} }), channelsKey);
  const save = useChange((active: boolean) => request<NoticeChannel>('PATCH', path, { body: { active } }), channelsKey);
  const remove = useChange(() => request<undefined>('DELETE', path), channelsKey);
  const isPaused = !channel.active || channel.circuit_state !== 'closed';
  const failed = test.error ?? save.error;
  return (
    <div className={styles['stack']}>
      <div className={styles['actions']}>
        <Button disabledReason={refusal} aria-busy={test.isPending} onClick={() => test.mutate(undefined)}>
          Send test notice
        </Button>
        <DialogButton label="Edit" disabledReason={refusal}>
          {(close) => <ChannelDialog channel={channel} onClose={close} />}
        </DialogButton>
        <Button disabledReason={refusal} aria-busy={save.isPending} onClick={() => save.mutate(isPaused)}>
          {isPaused ? 'Enable' : 'Disable'}
        </Button>
        <DialogButton label="Delete" look="danger" disabledReason={refusal}>
          {(close) => (
            <ConfirmChange
              title="Delete the channel"
              action="Delete channel"
              look="danger"
              change={remove}
              onClose={close}
            >
              <p>Notices that have not been posted yet are cancelled.</p>
            </ConfirmChange>
          )}
        </DialogButton>
      </div>
      {test.data !== undefined && <TestOutcome key={test.data.delivery_id} deliveryId={test.data.delivery_id} />}
      {failed !== null && <ErrorState error={failed} />}
    </div>
  );
}

/** Shows the response of Slack, Teams or ntfy to the test notice. */
function TestOutcome({ deliveryId }: { readonly deliveryId: string }) {
  const { data } = useQuery(deliveryQuery(deliveryId));
  const attempt = data?.attempts.at(-1);
  if (attempt === undefined) return <Notice tone="info">The test notice is being sent.</Notice>;
  if (data?.status === 'delivered')
    return (
      <Notice tone="ok" isNews>
        The channel accepted the test notice.
      </Notice>
    );
  const said = [attempt.error, attempt.answer].filter((each) => each !== null && each !== '').join(': ');
  return (
    <Notice tone="warn" isNews>
      The test notice was not accepted: {said}.{' '}
      <Link to="/event-webhooks/deliveries" search={{ peek: deliveryId }}>
        Show the delivery
      </Link>
    </Notice>
  );
}
