import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { useId, useMemo, useState } from 'react';
import { useConnection } from '../api/connection.ts';
import { useSession } from '../auth/session.ts';
import { useShortcuts, type Shortcuts } from '../keyboard/use-shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { HaltedNotice } from './halted-notice.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { Palette } from './palette.tsx';
import { Rail } from './rail.tsx';
import { SCREENS } from './screens.ts';
import styles from './shell.module.css';
import { NARROW, useMedia } from './use-media.ts';
import { UserMenu } from './user-menu.tsx';

type Open = 'palette' | 'keys' | undefined;

/** Frame of every screen of a signed-in user. */
export function Shell() {
  const session = useSession();
  const router = useRouter();
  const { isLost } = useConnection();
  const drawer = useId();
  const isNarrow = useMedia(NARROW);
  const [open, setOpen] = useState<Open>();
  useShortcuts(
    useMemo<Shortcuts>(
      () => ({
        'Mod+k': () => setOpen('palette'),
        '?': () => setOpen('keys'),
        'Mod+Enter': sendForm,
        '[': () => turnPage('former', () => router.history.back()),
        ']': () => turnPage('next', () => undefined),
        '/': () => focusSearch(() => router.history.push('/search')),
        ...Object.fromEntries(SCREENS.map(({ keys, to }) => [keys, () => router.history.push(to)])),
      }),
      [router],
    ),
  );
  if (session.kind !== 'signed-in') return null;
  const close = (): void => setOpen(undefined);
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#screen">
        Skip to content
      </a>
      <header className={styles['bar']}>
        {isNarrow && (
          <Button look="quiet" popoverTarget={drawer}>
            Menu
          </Button>
        )}
        <Link to="/search" className={styles['brand']}>
          Steward
        </Link>
        <div className={styles['tools']}>
          <Button onClick={() => setOpen('palette')}>Search or jump to</Button>
          <Button look="quiet" onClick={() => setOpen('keys')} aria-label="Keyboard shortcuts">
            ?
          </Button>
          <UserMenu user={session.user} />
        </div>
      </header>
      <Rail user={session.user} drawerId={isNarrow ? drawer : undefined} />
      <main id="screen" className={styles['screen']} tabIndex={-1}>
        {isLost && (
          <Notice tone="warn" isNews>
            Connection lost. The page may be out of date; this notice disappears when the service responds again.
          </Notice>
        )}
        <HaltedNotice />
        <Outlet />
      </main>
      {open === 'palette' && <Palette user={session.user} onClose={close} />}
      {open === 'keys' && <KeysDialog onClose={close} />}
    </div>
  );
}

/** Focuses the search box of the current screen; calls `goThere` if the screen has none. */
function focusSearch(goThere: () => void): void {
  const box = document.querySelector<HTMLInputElement>('input[type=search]');
  if (box === null) goThere();
  else box.focus();
}

function sendForm(): void {
  document.activeElement?.closest('form')?.requestSubmit();
}

/**
 * Opens the next or the previous page of a list. A list links only to its next page; the previous page is the previous
 * history entry.
 */
function turnPage(to: 'next' | 'former', goBack: () => void): void {
  if (to === 'former' && new URLSearchParams(location.search).has('cursor')) goBack();
  if (to === 'next') document.querySelector<HTMLElement>('main a[rel=next]')?.click();
}
