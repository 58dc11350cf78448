import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import * as words from '../../../words/messages.js'
import type { LogMatch } from './followed-log.ts'

type LogSearchProps = {
  search: string
  matches: readonly LogMatch[]
  /** Index, from 0, of the search match in the container's log that is scrolled into view; `undefined` when there is no match. */
  current: number | undefined
  onSearch: (search: string) => void
  onStep: (by: 1 | -1) => void
}

/** React component: search field of a log with the number of matches. Enter calls `onStep` with 1 (next match), Shift+Enter with -1. */
export const LogSearch = ({ search, matches: { length: count }, current, onSearch, onStep }: LogSearchProps) => (
  <div className="flex min-w-48 flex-1 items-center gap-1 max-sm:basis-full">
    <SearchField
      label={words.search_lines()}
      value={search}
      onChange={onSearch}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        onStep(event.shiftKey ? -1 : 1)
      }}
      className="h-8 min-w-0 flex-1"
    />
    <output className="px-1 text-note whitespace-nowrap text-muted tabular-nums">
      {search !== '' && (current === undefined ? words.log_no_match() : words.log_match({ number: current + 1, count }))}
    </output>
    <Button look="icon" aria-label={words.log_previous_match()} disabled={count === 0} onClick={() => onStep(-1)}>
      <Icon name="up" />
    </Button>
    <Button look="icon" aria-label={words.log_next_match()} disabled={count === 0} onClick={() => onStep(1)}>
      <Icon name="down" />
    </Button>
  </div>
)
