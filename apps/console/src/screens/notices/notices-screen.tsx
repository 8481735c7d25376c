import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { NoticeChannel } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { channelsQuery } from '../../queries/notices.ts';
import type { Column } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { describeEndpoint } from '../webhooks/endpoint-state.ts';
import styles from '../webhooks/webhooks.module.css';
import { ChannelActions } from './channel-actions.tsx';
import { ChannelDialog } from './channel-dialog.tsx';
import { KINDS, NOTICES } from './notice-words.ts';

const route = getRouteApi('/inside/event-webhooks/notices');

const COLUMNS: readonly Column<NoticeChannel>[] = [
  {
    name: 'Channel',
    show: ({ kind, description, url }) => (
      <>
        {KINDS[kind]} {description}
        <div className={styles['fine']}>{url}</div>
      </>
    ),
  },
  {
    name: 'State',
    show: (channel) => {
      const { tone, word } = describeEndpoint(channel);
      return <StatusBadge tone={tone}>{word}</StatusBadge>;
    },
  },
  { name: 'Notices', show: ({ notices }) => notices.map((name) => NOTICES[name]).join(', ') },
  {
    name: 'Last notice',
    show: ({ last_delivery_at: at, last_delivery_status: status, last_error: error }) =>
      at === null ? (
        'none yet'
      ) : (
        <>
          {status} <TimeAgo at={at} />
          {error !== null && <div className={styles['fine']}>{error}</div>}
        </>
      ),
  },
  { name: 'Actions', show: (channel) => <ChannelActions channel={channel} /> },
];

/** Channels in which people get notices. */
export function NoticesScreen() {
  const { cursor } = route.useSearch();
  const query = useQuery({ ...channelsQuery(cursor), placeholderData: keepPreviousData });
  const refusal = useRefusal('manage_policies');
  return (
    <ListPage
      name="Notices"
      what="channels"
      columns={COLUMNS}
      query={query}
      empty="No channels yet. A Slack, Teams or ntfy channel notifies people, for example when a call waits for approval, a budget runs out or deliveries fail."
      actions={
        <DialogButton label="Add channel" look="primary" disabledReason={refusal}>
          {(close) => <ChannelDialog channel={undefined} onClose={close} />}
        </DialogButton>
      }
    />
  );
}
