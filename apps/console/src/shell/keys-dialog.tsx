import { Dialog } from '../ui/dialog.tsx';
import { SCREENS } from './screens.ts';
import styles from './keys-dialog.module.css';

const KEYS: readonly (readonly [string, string])[] = [
  ['Ctrl K or ⌘ K', 'Search or jump to'],
  ['/', 'Go to the search box'],
  ...SCREENS.map(({ keys, name }) => [keys, name] as const),
  ['j and k', 'Next and former row, or hit of a search'],
  ['?', 'This list'],
  ['Esc', 'Close what is open'],
];

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={styles['keys']}>
        {KEYS.map(([keys, name]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
