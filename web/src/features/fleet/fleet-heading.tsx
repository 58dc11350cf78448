import type { ReactNode } from 'react'
import type { HealthCounts } from '../../api/system-health.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import * as words from '../../words/messages.js'
import { HealthSummary } from './health-summary.tsx'

type FleetHeadingProps = {
  counts: HealthCounts | undefined
  filter: string
  onFilter: (filter: string) => void
  /** React nodes that the heading of the page All Systems shows beside the filter field, such as the button for views. */
  children: ReactNode
}

export function FleetHeading({ counts, filter, onFilter, children }: FleetHeadingProps) {
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
      <output className="flex h-8 flex-wrap items-center gap-x-3.5 text-note text-muted max-sm:h-auto max-sm:min-h-5 max-sm:w-full">
        <HealthSummary counts={counts} />
      </output>
      <div className="flex items-center gap-0.5 max-sm:w-full">
        <SearchField
          label={words.filter_systems()}
          placeholder={words.filter_placeholder()}
          value={filter}
          onChange={onFilter}
          className="mr-1 h-8 w-60 max-sm:w-auto max-sm:flex-1"
        />
        {children}
      </div>
    </PageHeader>
  )
}
