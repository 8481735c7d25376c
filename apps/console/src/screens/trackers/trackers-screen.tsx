import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Tracker } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { trackersQuery } from '../../queries/trackers.ts';
import type { Column } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { TrackerActions } from './tracker-actions.tsx';
import { TrackerDialog } from './tracker-dialog.tsx';
import { KINDS } from './tracker-kinds.ts';

const route = getRouteApi('/inside/trackers');

const COLUMNS: readonly Column<Tracker>[] = [
  { name: 'Tracker', show: ({ name }) => name },
  { name: 'Kind', show: ({ kind }) => KINDS[kind] },
  { name: 'URL', show: ({ base_url: url }) => url },
  {
    name: 'For',
    show: ({ repositories }) => (repositories.length === 0 ? 'All that the token can access' : repositories.join(', ')),
  },
  { name: 'Actions', show: (tracker) => <TrackerActions tracker={tracker} /> },
];

export function TrackersScreen() {
  const { cursor } = route.useSearch();
  const query = useQuery({ ...trackersQuery(cursor), placeholderData: keepPreviousData });
  const refusal = useRefusal('manage_trackers');
  return (
    <ListPage
      name="Trackers"
      what="trackers"
      columns={COLUMNS}
      query={query}
      empty="No trackers yet. Events of a tracker start flows, and agents read and write its issues without seeing its token."
      actions={
        <DialogButton label="Connect tracker" look="primary" disabledReason={refusal}>
          {(close) => <TrackerDialog tracker={undefined} onClose={close} />}
        </DialogButton>
      }
    />
  );
}
