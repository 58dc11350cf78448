import { healthWords } from '../../api/health-words.ts'
import type { SystemHealth } from '../../api/system-health.ts'
import { cn } from '../../ui/cn.ts'

type Unwell = Exclude<SystemHealth, 'up'>

const colours: Readonly<Record<Unwell, string>> = {
  down: 'text-crit',
  stale: 'text-warn',
  paused: 'text-muted',
  pending: 'text-pending',
}

/**
 * React component: word for the health of a system that is not up, such as "down". For a down system, `reason` is the tooltip and is read
 * by screen readers.
 */
export function HealthWord({ health, reason }: { health: Unwell; reason: string | undefined }) {
  const look = cn('shrink-0 text-small font-medium', colours[health])
  if (health !== 'down' || reason === undefined) return <span className={look}>{healthWords[health]()}</span>
  return (
    // Above the link that covers the row and would take the pointer.
    <span className={cn(look, 'relative z-1')} data-tooltip={reason}>
      {healthWords.down()} <span className="sr-only">{reason}</span>
    </span>
  )
}
