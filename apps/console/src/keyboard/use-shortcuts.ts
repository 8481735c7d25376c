import { useEffect } from 'react';
import { createKeyReader } from './key-reader.ts';

/** By the names of their keys: what they do. */
export type Shortcuts = Readonly<Record<string, () => void>>;

const FIELDS = 'input, textarea, select, [contenteditable], [role=combobox], [role=listbox]';

/** Listens as long as the component is there, but for open dialogs, which have keys of their own. */
export function useShortcuts(shortcuts: Shortcuts): void {
  // The keyboard is outside of React.
  useEffect(() => {
    const read = createKeyReader(Object.keys(shortcuts));
    const listen = (event: KeyboardEvent): void => {
      if (document.querySelector('dialog[open]') !== null) return;
      const { key, ctrlKey, metaKey, altKey, target } = event;
      const isTyping = target instanceof Element && target.closest(FIELDS) !== null;
      const name = read({ key, ctrlKey, metaKey, altKey, isTyping }, event.timeStamp);
      if (name === undefined) return;
      event.preventDefault();
      shortcuts[name]?.();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [shortcuts]);
}
