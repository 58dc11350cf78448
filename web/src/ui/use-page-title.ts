import { useEffect } from 'react'
import * as words from '../words/messages.js'

/** Names the browser tab by a page; `undefined` leaves it as it is, while the name of the page is not known. */
export function usePageTitle(page: string | undefined): void {
  const title = page === undefined ? undefined : words.page_title({ page })
  useEffect(() => {
    if (title !== undefined) document.title = title
  }, [title])
}
