import { useEffect } from 'react'
import * as words from '../words/messages.js'

/** React hook: sets the browser tab's title to that of a page. `undefined` leaves it unchanged. */
export function usePageTitle(page: string | undefined): void {
  const title = page === undefined ? undefined : words.page_title({ page })
  useEffect(() => {
    if (title !== undefined) document.title = title
  }, [title])
}
