import type { SystemHealth } from '../../api/system-health.ts'
import { cn } from '../../ui/cn.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import * as words from '../../words/messages.js'

type FleetHeadingProps = {
  counts: Readonly<Record<SystemHealth, number>> | undefined
  filter: string
  onFilter: (filter: string) => void
}

export function FleetHeading({ counts, filter, onFilter }: FleetHeadingProps) {
  return (
    <PageHeader
      title={words.all_systems()}
      description={
        <>
          {words.live_hint()} <span className="max-sm:hidden">{words.palette_hint({ keys: 'Cmd/Ctrl + K' })}</span>
        </>
      }
      className="mb-3.5"
    >
      <Counts counts={counts} />
      <SearchField
        label={words.filter_systems()}
        placeholder={words.filter_placeholder()}
        value={filter}
        onChange={onFilter}
        className="h-8 w-60 max-sm:w-full"
      />
    </PageHeader>
  )
}

type CountWord = { readonly health: SystemHealth; readonly word: () => string; readonly colour: string }

const countWords: readonly CountWord[] = [
  { health: 'down', word: words.count_down, colour: 'text-crit' },
  { health: 'stale', word: words.count_stale, colour: 'text-warn' },
  { health: 'pending', word: words.count_pending, colour: 'text-text' },
  { health: 'up', word: words.count_up, colour: 'text-text' },
  { health: 'paused', word: words.count_paused, colour: 'text-text' },
]

/**
 * React component: row above the systems table with the number of systems in each health state, problems first. A state without systems is
 * left out.
 */
function Counts({ counts }: { counts: Readonly<Record<SystemHealth, number>> | undefined }) {
  return (
    <output className="flex h-8 flex-wrap items-center gap-x-3.5 text-note text-muted max-sm:h-auto max-sm:min-h-5 max-sm:w-full">
      {countWords.map(({ health, word, colour }) => {
        const count = counts?.[health] ?? 0
        if (count === 0) return null
        return (
          <span key={health}>
            <b className={cn('font-semibold', colour)}>{count}</b> {word()}
          </span>
        )
      })}
    </output>
  )
}
