import { useEffect, useState } from 'react';

/** Debounces a string: the value is updated when nothing has been typed for a moment. */
export function useSettled(text: string, afterMs = 400): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}
