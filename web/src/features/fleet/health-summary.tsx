import type { HealthCounts, SystemHealth } from '../../api/system-health.ts'
import { cn } from '../../ui/cn.ts'
import * as words from '../../words/messages.js'

type CountWord = { readonly health: SystemHealth; readonly word: () => string; readonly colour: string }

const countWords: readonly CountWord[] = [
  { health: 'down', word: words.count_down, colour: 'text-crit' },
  { health: 'stale', word: words.count_stale, colour: 'text-warn' },
  { health: 'pending', word: words.count_pending, colour: 'text-text' },
  { health: 'up', word: words.count_up, colour: 'text-text' },
  { health: 'paused', word: words.count_paused, colour: 'text-text' },
]

/**
 * React component: numbers of systems by health state (up, down, stale, paused, pending), problems first, without states that no system
 * has. Renders nothing while `counts` is `undefined`.
 */
export const HealthSummary = ({ counts }: { counts: HealthCounts | undefined }) =>
  countWords.map(({ health, word, colour }) => {
    const count = counts?.[health] ?? 0
    if (count === 0) return null
    return (
      <span key={health} className="whitespace-nowrap">
        <b className={cn('font-semibold', colour)}>{count}</b> {word()}
      </span>
    )
  })
