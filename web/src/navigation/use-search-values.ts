import { useLayoutEffect, useMemo, useRef } from 'react'
import { useRouter } from 'wouter'
import { afterLeaving, isLeaving, leave } from './leave.ts'
import { changeSearch, readSearch, type SearchFields } from './search.ts'

/** Changes of a page's address. They stay the same functions. */
export type SearchActions<Values> = {
  /** Writes values into the present history entry. */
  readonly change: (change: Partial<Values>) => void
  /** Writes values into a new history entry. */
  readonly step: (change: Partial<Values>) => void
  /** Opens something in a new history entry; `isReplacing`: in the present one, where something of its kind is open already. */
  readonly open: (change: Partial<Values>, isReplacing?: boolean) => void
  /** Goes back to before `open`. After a reload or a link there is nothing to go back to: then it writes `closed`. */
  readonly close: (closed: Partial<Values>) => void
}

/** Values of a page that stand in its address: a link, a reload and Back show them again. For either bundle's router. */
export function useSearchValues<Values>(fields: SearchFields<Values>): SearchActions<Values> & { readonly values: Values } {
  const router = useRouter()
  // As the browser has both: wouter's own hooks decode once too often, and "%2541" would become "A".
  const [path, navigate] = router.hook(router)
  const search = router.searchHook(router).replace(/^\?/, '')
  const values = useMemo(() => readSearch(fields, search), [fields, search])
  const latest = useRef({ path, search, navigate })
  useLayoutEffect(() => {
    latest.current = { path, search, navigate }
  })
  const actions = useMemo((): SearchActions<Values> => {
    const write = (change: Partial<Values>, options?: { replace?: boolean; state?: unknown }): void => {
      const { path, search, navigate } = latest.current
      const changed = changeSearch(fields, search, change)
      // Another change may follow before the next render.
      latest.current = { path, search: changed, navigate }
      navigate(changed === '' ? path : `${path}?${changed}`, options)
    }
    const replace = (change: Partial<Values>) => write(change, { replace: true, state: history.state })
    return {
      change: (change) => afterLeaving(() => replace(change)),
      step: (change) => afterLeaving(() => write(change)),
      open: (change, isReplacing = false) => afterLeaving(() => (isReplacing ? replace(change) : write(change, { state: openedState }))),
      close(closed) {
        // A dialog may report its end twice. The second report must not go back further.
        if (isLeaving()) return
        afterLeaving(() => (isOpened() ? leave() : write(closed, { replace: true })))
      },
    }
  }, [fields])
  return { values, ...actions }
}

/** State of a history entry that was added to open something. */
const openedState = { isOpened: true }

const isOpened = (): boolean => (history.state as Partial<typeof openedState> | null)?.isOpened === true // only this file writes it
