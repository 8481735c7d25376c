import { setSingleKeys, useSingleKeys } from '../keyboard/single-keys.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SCREENS } from './screens.ts';
import styles from './keys-dialog.module.css';

const KEYS: readonly (readonly [string, string])[] = [
  ['Ctrl K or ⌘ K', 'Search, or go to a page'],
  ['/', 'Go to the search box'],
  ...SCREENS.map(({ keys, name }) => [keys, name] as const),
  ['j and k', 'Next and previous row or search result'],
  ['[ and ]', 'Previous and next page of a list'],
  ['a and d', 'Approve or decline the displayed request, after a confirmation'],
  ['r', 'Replay the event of the displayed delivery, or retry the displayed execution, after a confirmation'],
  ['p', 'Pause or follow the displayed log'],
  ['Ctrl Enter or ⌘ Enter', 'Submit the current form'],
  ['?', 'This list'],
  ['Esc', 'Close the open dialog'],
];

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const isOn = useSingleKeys();
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <label className={styles['switch']}>
        <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)} />
        Enable shortcuts without Ctrl or ⌘
      </label>
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
