import { useEffect } from 'react';
import { createKeyReader } from './key-reader.ts';
import { hasSingleKeys } from './single-keys.ts';

/** Actions by the names of their keys. */
export type Shortcuts = Readonly<Record<string, () => void>>;

const FIELDS = 'input, textarea, select, [contenteditable], [role=combobox], [role=listbox]';

/** Shortcut that submits a form; it also works in dialogs. */
const SUBMIT = 'Mod+Enter';

/**
 * Returns whether a shortcut works at the moment: an open dialog has its own keys, and shortcuts without a modifier
 * (except Escape) may be disabled.
 */
function isHeard(name: string): boolean {
  if (name !== SUBMIT && document.querySelector('dialog[open]') !== null) return false;
  return hasSingleKeys() || name.startsWith('Mod+') || name === 'Escape';
}

/** Calls the actions of shortcuts as long as the component is mounted. */
export function useShortcuts(shortcuts: Shortcuts): void {
  // The keyboard is not managed by React.
  useEffect(() => {
    const read = createKeyReader(Object.keys(shortcuts));
    const listen = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey } = event;
      // The first element of the path is used: for an element in a shadow root, `event.target` is the element that
      // contains the shadow root.
      const [target] = event.composedPath();
      const isTyping = target instanceof Element && target.closest(FIELDS) !== null;
      const name = read({ key, ctrlKey, metaKey, altKey, isTyping }, event.timeStamp);
      if (name === undefined || !isHeard(name)) return;
      event.preventDefault();
      shortcuts[name]?.();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [shortcuts]);
}
