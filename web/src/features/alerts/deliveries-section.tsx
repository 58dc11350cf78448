import { useQuery } from '@tanstack/react-query'
import { deliveriesQuery, type Delivery } from '../../api/deliveries.ts'
import { formatTime } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { cn } from '../../ui/cn.ts'
import * as words from '../../words/messages.js'
import { Card } from '../../ui/card.tsx'

const SHOWN = 20

const looks: Readonly<Record<Delivery['state'], { readonly label: () => string; readonly colour: string }>> = {
  waiting: { label: words.delivery_waiting, colour: 'text-pending' },
  delivered: { label: words.delivery_delivered, colour: 'text-ok' },
  refused: { label: words.delivery_refused, colour: 'text-crit' },
  expired: { label: words.delivery_expired, colour: 'text-crit' },
}

/**
 * React component: card with the 20 newest deliveries of notifications: title, channel, state and time, and the provider's response unless
 * delivered. Renders nothing while there are none.
 */
export function DeliveriesSection() {
  const formats = useFormats()
  const { data = [] } = useQuery(deliveriesQuery)
  if (data.length === 0) return null
  return (
    <Card title={words.deliveries()} description={words.deliveries_about()}>
      <ul className="divide-y divide-border">
        {data.slice(0, SHOWN).map(({ id, channel, title, state, said, createdMs }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-2">
            <span className="min-w-0 flex-1 basis-64 wrap-anywhere">
              {title ?? '–'}
              {said !== undefined && state !== 'delivered' && <span className="block text-note text-muted">{said}</span>}
            </span>
            <span className="text-note text-muted">
              {channel} · <span className={cn('font-medium', looks[state].colour)}>{looks[state].label()}</span> ·{' '}
              {formatTime(createdMs, 'dayAndTime', formats)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
