import { useLayoutEffect, useMemo, useRef } from 'react'
import { useRouter } from 'wouter'
import { afterLeaving, isLeaving, leave } from './leave.ts'
import { changeSearch, readSearch, type SearchParameters } from './search.ts'

/**
 * Functions (`change`, `step`, `open`, `close`) that change the search parameters of the URL. They are the same functions in every
 * rendering.
 */
export type SearchActions<Values> = {
  /**
   * Changes search parameters of the URL to the passed values and replaces the current entry of the browser's history. Back does not undo
   * it separately.
   */
  readonly change: (change: Partial<Values>) => void
  /** Changes search parameters of the URL to the passed values and adds an entry to the browser's history, so that Back undoes it. */
  readonly step: (change: Partial<Values>) => void
  /**
   * Opens a dialog by changing search parameters in a new entry of the browser's history. With `isReplacing` (a dialog is open already),
   * that dialog's entry is changed instead.
   */
  readonly open: (change: Partial<Values>, isReplacing?: boolean) => void
  /**
   * Closes the dialog by going back in the browser's history. If this page did not add the dialog's entry (reload, link), writes the
   * parameters `closed`, such as an empty dialog name, to the URL instead.
   */
  readonly close: (closed: Partial<Values>) => void
}

/**
 * React hook: returns `values`, the search parameters of the URL as parsed by the codecs `fields`, with the functions that change them.
 * Works in the dashboard and the back-office.
 */
export function useSearchValues<Values>(fields: SearchParameters<Values>): SearchActions<Values> & { readonly values: Values } {
  const router = useRouter()
  // Read directly from the router: wouter's own hooks decode twice, which turns "%2541" into "A".
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
        // A dialog may report its end twice; the second report must not go back further.
        if (isLeaving()) return
        afterLeaving(() => (isOpened() ? leave() : write(closed, { replace: true })))
      },
    }
  }, [fields])
  return { values, ...actions }
}

/**
 * Value of `history.state` in the entries that `open` has added to the browser's history. By it, `close` knows that going back closes the
 * dialog and does not leave the page.
 */
const openedState = { isOpened: true }

const isOpened = (): boolean => (history.state as Partial<typeof openedState> | null)?.isOpened === true // only this file writes it
