import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Permission, PushKey, PushSubscription } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useSession } from '../../auth/session.ts';
import { nameBrowser } from '../../push/name-browser.ts';
import { canPush, subscribeBrowser, unsubscribeBrowser } from '../../push/push-browser.ts';
import { SUBSCRIPTIONS_PATH, subscriptionsKey, subscriptionsQuery } from '../../queries/push.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useChange } from '../../ui/use-change.ts';
import { NOTICE_NAMES, NOTICE_PERMISSIONS, NOTICES, USUAL } from '../notices/notice-words.ts';
import styles from './settings.module.css';

type NoticeName = PushSubscription['notices'][number];

/** The user's browsers that get notices, and the notices that each of them gets. */
export function Push() {
  const query = useQuery(subscriptionsQuery());
  const remove = useChange(async ({ id, current }: PushSubscription) => {
    if (current) await unsubscribeBrowser();
    await request<undefined>('DELETE', `${SUBSCRIPTIONS_PATH}/${id}`);
  }, subscriptionsKey);
  const columns: readonly Column<PushSubscription>[] = [
    { name: 'Browser', show: ({ description, current }) => (current ? `${description} (this one)` : description) },
    { name: 'Notices', show: ({ notices }) => notices.map((name) => NOTICES[name]).join(', ') },
    { name: 'Since', show: ({ created_at: at }) => <TimeAgo at={at} /> },
    { name: 'Last error', show: ({ last_error: error }) => error ?? '' },
    {
      name: 'Actions',
      show: (subscription) => (
        <>
          <DialogButton label="Choose notices">
            {(close) => (
              <NoticesDialog
                title="Choose notices"
                chosen={subscription.notices}
                onClose={close}
                onSave={(notices) =>
                  request('PATCH', `${SUBSCRIPTIONS_PATH}/${subscription.id}`, { body: { notices } })
                }
              />
            )}
          </DialogButton>
          <Button onClick={() => remove.mutate(subscription)}>Remove</Button>
        </>
      ),
    },
  ];
  return (
    <section className={styles['wide']} aria-label="Notices">
      <h2>Notices</h2>
      <p>
        A browser that you add here shows notices until you remove it or your login in that browser ends. Clicking a
        notice opens this console.
      </p>
      <Loaded what="your browsers" query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p>No browser gets notices.</p>
          ) : (
            <DataTable name="Browsers that receive notices" columns={columns} rows={items} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {canPush() ? (
        <DialogButton label="Push notices to this browser">
          {(close) => (
            <NoticesDialog title="Push notices to this browser" chosen={USUAL} onClose={close} onSave={subscribe} />
          )}
        </DialogButton>
      ) : (
        <p className={styles['fine']}>
          This browser cannot get notices. On an iPhone or iPad, add this page to the home screen first.
        </p>
      )}
      {remove.error !== null && <ErrorState error={remove.error} />}
    </section>
  );
}

async function subscribe(notices: readonly NoticeName[]): Promise<PushSubscription> {
  const { public_key: key } = await request<PushKey>('GET', '/api/v1/push-key');
  const subscription = await subscribeBrowser(key);
  const body = { ...subscription, notices, description: nameBrowser() };
  return request<PushSubscription>('POST', SUBSCRIPTIONS_PATH, { body });
}

interface DialogProps {
  readonly title: string;
  readonly chosen: readonly NoticeName[];
  readonly onClose: () => void;
  readonly onSave: (notices: readonly NoticeName[]) => Promise<unknown>;
}

/** Offers the notices about objects that the user may see. */
function NoticesDialog({ title, chosen, onClose, onSave }: DialogProps) {
  const session = useSession();
  const permissions: readonly Permission[] = session.kind === 'signed-in' ? session.user.permissions : [];
  const [offered] = useState(() => NOTICE_NAMES.filter((name) => permissions.includes(NOTICE_PERMISSIONS[name])));
  return (
    <FormDialog
      title={title}
      action="Save notices"
      onClose={onClose}
      touches={subscriptionsKey}
      onSend={(values) => onSave(offered.filter((name) => `notice ${name}` in values))}
    >
      {() => (
        <fieldset className={styles['fields']}>
          <legend>Notices</legend>
          {offered.map((name) => (
            <label key={name}>
              <input type="checkbox" name={`notice ${name}`} defaultChecked={chosen.includes(name)} />{' '}
              <span>{NOTICES[name]}</span>
            </label>
          ))}
        </fieldset>
      )}
    </FormDialog>
  );
}
