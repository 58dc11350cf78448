import { useEffect } from 'react'

/** Names the browser tab; `undefined` leaves it as it is, while the name is not known. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title
  }, [title])
}
