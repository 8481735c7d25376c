import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Beside } from '../../ui/peek.tsx';
import { DeliveryPeek } from './delivery-peek.tsx';

interface Props {
  /** Id of the opened delivery, from the address. */
  readonly peek: string | undefined;
  readonly children: ReactNode;
}

/** A list of deliveries, with the opened one next to it. */
export function BesideDelivery({ peek, children }: Props) {
  const navigate = useNavigate();
  const close = (): void => {
    void navigate({
      to: '.',
      search: (former: Record<string, unknown>) => ({ ...former, peek: undefined }),
      resetScroll: false,
    });
  };
  return (
    <Beside peek={peek !== undefined && <DeliveryPeek key={peek} deliveryId={peek} onClose={close} />}>
      {children}
    </Beside>
  );
}
