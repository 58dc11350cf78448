import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { fetchContainerLogs } from '../../../api/inventory.ts'
import { keys } from '../../../api/keys.ts'
import { messageOf } from '../../../api/request-failed.ts'
import { queryClient, serverQuery } from '../../../api/server-query.ts'
import { Button } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/clipboard.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { ScrollBox } from '../../../ui/scroll-box.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import * as words from '../../../words/messages.js'
import { followLog, lastSecondOf, matchesIn, type FollowedLog, type LogLine } from './followed-log.ts'
import { LogLines } from './log-lines.tsx'
import { LogSearch } from './log-search.tsx'

/** Polling interval of a container log, 4 s, in ms. Each poll is a request to Docker or Podman through the agent. */
const READ_AGAIN_MS = 4_000

/**
 * Distance in px, 24, from the end of a container's log within which the view counts as scrolled to the end. The view then scrolls to new
 * lines.
 */
const END_PIXELS = 24

const none: readonly LogLine[] = []

/**
 * Returns the TanStack Query options of a container's followed log; the data is a `FollowedLog`. Each fetch requests only lines since the
 * last known one and appends them to the cached log.
 */
const logQuery = (systemId: string, containerId: string) => {
  const key = keys.containerLog(systemId, containerId)
  return serverQuery(
    key,
    async (signal) => {
      const before = queryClient.getQueryData<FollowedLog>(key)
      const query = { system: systemId, container: containerId, sinceSeconds: lastSecondOf(before) }
      return followLog(before, await fetchContainerLogs(query, signal))
    },
    // Unchanged lines keep their identity.
    { gcTime: 0, retry: false, refetchOnWindowFocus: false, structuralSharing: false },
  )
}

type LogDialogProps = { systemId: string; containerId: string; name: string; onClose: () => void }

/**
 * React component: dialog with a container's log, which is fetched every 4 s while the browser tab is visible. The user can pause, search
 * and copy it.
 */
export function LogDialog({ systemId, containerId, name, onClose }: LogDialogProps) {
  const [isFollowing, setFollowing] = useState(true)
  const { data, isError, error } = useQuery({
    ...logQuery(systemId, containerId),
    // TanStack Query does not refetch while the page is hidden.
    refetchInterval: isFollowing ? READ_AGAIN_MS : false,
  })
  const lines = data?.lines ?? none
  const { match, ...search } = useLogSearch(lines)
  const box = useRef<HTMLElement>(null)
  const title = words.logs_of({ name })
  useEndInView(box, lines, isFollowing && search.search === '')

  return (
    <Dialog title={title} description={words.logs_about()} isWide onClose={onClose}>
      <div className="flex flex-wrap gap-2">
        <LogSearch {...search} />
        <Button onClick={() => setFollowing(!isFollowing)}>{isFollowing ? words.office_log_pause() : words.office_log_follow()}</Button>
        <Button
          disabled={data === undefined}
          onClick={() =>
            void copyText(lines.map(({ text }) => `${text}\n`).join(''), { copied: words.copied(), askManually: words.copy_manually() })
          }
        >
          {words.copy()}
        </Button>
      </div>
      {isError && <FormError message={messageOf(error)} />}
      {data === undefined && !isError && <Spinner label={words.loading()} />}
      {data !== undefined && (
        <ScrollBox label={title} box={box} className="max-h-[60vh] min-h-40 bg-sunken p-3">
          {lines.length === 0 ? (
            <p className="text-small text-muted">{words.log_empty()}</p>
          ) : (
            <LogLines log={data} matches={search.matches} current={match} />
          )}
        </ScrollBox>
      )}
    </Dialog>
  )
}

/**
 * React hook: search in the lines of a container's log. Returns the search text, its matches, and the current match with its index (both
 * `undefined` without matches). Its functions set the text and go to the next or previous match.
 */
function useLogSearch(lines: readonly LogLine[]) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState(0)
  const searched = useDeferredValue(search)
  const matches = useMemo(() => matchesIn(lines, searched), [lines, searched])
  const current = matches.length === 0 ? undefined : Math.min(chosen, matches.length - 1)
  return {
    search,
    matches,
    current,
    match: current === undefined ? undefined : matches[current],
    onSearch: (text: string): void => {
      setSearch(text)
      setChosen(0)
    },
    onStep: (by: 1 | -1): void => {
      if (current !== undefined) setChosen((current + by + matches.length) % matches.length)
    },
  }
}

/** React hook: scrolls a log to its end when lines are added, while `isWanted`. It stops when the user has scrolled away from the end. */
function useEndInView(box: RefObject<HTMLElement | null>, lines: readonly LogLine[], isWanted: boolean): void {
  const isAtEnd = useRef(true)
  const isShown = lines.length > 0
  useEffect(() => {
    const element = box.current
    if (element === null || !isShown) return
    const note = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < END_PIXELS
    }
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [box, isShown])
  useLayoutEffect(() => {
    const element = box.current
    if (lines.length > 0 && isWanted && isAtEnd.current) element?.scrollTo(0, element.scrollHeight)
  }, [box, lines, isWanted])
}
