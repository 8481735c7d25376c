import { useQuery } from '@tanstack/react-query';
import type { OperatorNote } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { NOTES_PATH, notesQuery } from '../../queries/notes.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useChange } from '../../ui/use-change.ts';

const STATES: Readonly<Record<OperatorNote['state'], readonly [Tone, string]>> = {
  pending: ['info', 'Waiting for the agent'],
  delivered: ['ok', 'Delivered'],
  expired: ['none', 'Expired'],
  cancelled: ['none', 'Cancelled'],
};

/** State of the notes to the agent of a session. */
export function Notes({ sessionId }: { readonly sessionId: string }) {
  const { data } = useQuery(notesQuery(sessionId));
  const refusal = useRefusal('control_managed_agent');
  const cancel = useChange(
    (noteId: string) => request<unknown>('POST', `${NOTES_PATH}/${noteId}/cancel`, { body: {} }),
    () => notesQuery(sessionId).queryKey,
  );
  if (data === undefined || data.items.length === 0) return null;
  const columns: readonly Column<OperatorNote>[] = [
    { name: 'Note', show: ({ text }) => text },
    { name: 'By', show: ({ author }) => author.display },
    {
      name: 'State',
      show: ({ state }) => {
        const [tone, word] = STATES[state];
        return <StatusBadge tone={tone}>{word}</StatusBadge>;
      },
    },
    { name: 'Written', show: ({ created_at: at }) => <TimeAgo at={at} /> },
    {
      name: 'Change',
      show: ({ id, state }) =>
        state === 'pending' && (
          <Button disabledReason={refusal} onClick={() => cancel.mutate(id)}>
            Cancel note
          </Button>
        ),
    },
  ];
  return (
    <>
      <h2>Notes</h2>
      <DataTable name="Notes" columns={columns} rows={data.items} keyOf={({ id }) => id} />
      {cancel.error !== null && <ErrorState error={cancel.error} />}
    </>
  );
}
