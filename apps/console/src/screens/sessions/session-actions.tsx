import { useState } from 'react';
import type { RuntimeSession } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { NOTES_PATH } from '../../queries/notes.ts';
import { queryClient } from '../../queries/query-client.ts';
import { sessionKey, sessionPath, timelineKey } from '../../queries/sessions.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from '../../ui/stack.module.css';

type Asked = 'title' | 'note' | 'end' | undefined;

/** Actions on a session, with a confirmation for ending it. */
export function SessionActions({ session }: { readonly session: RuntimeSession }) {
  const path = sessionPath(session.id);
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  const ofChanging = useRefusal('manage_runtime_sessions');
  const ofNotes = useRefusal('control_managed_agent');
  const end = useChange(
    () => request<unknown>('POST', `${path}/end`, { body: {} }),
    () => sessionKey(session.id),
  );
  const readAgain = (): void => {
    void queryClient.invalidateQueries({ queryKey: sessionKey(session.id) });
    void queryClient.invalidateQueries({ queryKey: timelineKey(session.id) });
  };
  async function saveTitle({ title = '' }): Promise<void> {
    await request<unknown>('PATCH', path, { body: { title: title.trim() === '' ? null : title.trim() } });
    readAgain();
  }
  async function sendNote({ text = '' }): Promise<void> {
    await request<unknown>('POST', NOTES_PATH, { body: { runtime_session_id: session.id, text } });
    readAgain();
  }
  return (
    <div className={styles['actions']}>
      <Button disabledReason={ofNotes} onClick={() => setAsked('note')}>
        Write a note
      </Button>
      <Button disabledReason={ofChanging} onClick={() => setAsked('title')}>
        Edit title
      </Button>
      {session.ended_at === null && (
        <Button disabledReason={ofChanging} onClick={() => setAsked('end')}>
          End session
        </Button>
      )}
      {asked === 'title' && (
        <FormDialog title="Edit title" action="Save title" onClose={close} onSend={saveTitle}>
          {(errorOf) => (
            <Field label="Title" name="title" defaultValue={session.title ?? ''} error={errorOf('title')} />
          )}
        </FormDialog>
      )}
      {asked === 'note' && (
        <FormDialog title="Write a note" action="Send note" onClose={close} onSend={sendNote}>
          {(errorOf) => (
            <TextField
              label="Note"
              name="text"
              maxLength={4096}
              required
              hint={
                session.ended_at === null
                  ? 'The agent reads the note at its next turn.'
                  : 'The session has ended: the note is shown to people who read the session, but not to an agent.'
              }
              error={errorOf('text')}
            />
          )}
        </FormDialog>
      )}
      {asked === 'end' && (
        <ConfirmChange title="End the session" action="End it" change={end} onClose={close}>
          <p>Content that an agent stores later with the same source is still added to this session.</p>
        </ConfirmChange>
      )}
    </div>
  );
}
