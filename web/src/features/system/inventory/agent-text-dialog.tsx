import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '../../../api/keys.ts'
import { messageOf } from '../../../api/request-failed.ts'
import { serverQuery } from '../../../api/server-query.ts'
import { Button } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/clipboard.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { ScrollBox } from '../../../ui/scroll-box.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import * as words from '../../../words/messages.js'
import { matchingLines } from './matching-lines.ts'

/**
 * Description of a text that is fetched from an agent and shown in a dialog. It has an `id` for the query cache, the dialog's title and
 * description (`about`), and the fetch function.
 */
export type AgentText = {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly fetch: (signal: AbortSignal) => Promise<string>
}

/**
 * React component: dialog that shows a text fetched from the agent, such as a container's configuration. `text` has its title and fetch
 * function. The text can be searched, copied and fetched again.
 */
export function AgentTextDialog({ text: { id, title, about, fetch }, onClose }: { text: AgentText; onClose: () => void }) {
  const { data, isError, error, isFetching, refetch } = useQuery(serverQuery(keys.agentText(id), fetch, { gcTime: 0, retry: false }))
  const [search, setSearch] = useState('')
  const shown = data === undefined ? '' : matchingLines(data, search)
  return (
    <Dialog title={title} description={about} isWide onClose={onClose}>
      <div className="flex flex-wrap gap-2">
        <SearchField label={words.search_lines()} value={search} onChange={setSearch} className="h-8 min-w-40 flex-1" />
        <Button disabled={isFetching} onClick={() => void refetch()}>
          {words.refresh()}
        </Button>
        <Button
          disabled={data === undefined}
          onClick={() => void copyText(shown, { copied: words.copied(), askManually: words.copy_manually() })}
        >
          {words.copy()}
        </Button>
      </div>
      {isError && data === undefined && <FormError message={messageOf(error)} />}
      {data === undefined && !isError && <Spinner label={words.loading()} />}
      {data !== undefined && (
        <ScrollBox label={title} className="max-h-[60vh] min-h-40 bg-sunken p-3">
          <pre className="text-small wrap-anywhere whitespace-pre-wrap">{shown === '' ? words.nothing_found() : shown}</pre>
        </ScrollBox>
      )}
    </Dialog>
  )
}
