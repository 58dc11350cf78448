import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { systemsQuery } from './api/queries.ts'
import { basePath } from './base-path.ts'
import { faviconFor } from './favicon-model.ts'

/** Shows in the browser's tab how the fleet is, from the list that is known; the default icon when signed out. */
export function useFavicon(isSignedIn: boolean): void {
  const { data } = useQuery({ ...systemsQuery, enabled: false })
  const name = faviconFor(isSignedIn ? (data ?? []).map(({ status }) => status) : [])
  useEffect(() => {
    const link = document.querySelector('link[rel=icon]')
    link?.setAttribute('href', `${basePath}/static/${name}.svg`)
  }, [name])
}
