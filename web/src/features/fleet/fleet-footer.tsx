import { useQuery } from '@tanstack/react-query'
import { hubIdentityQuery } from '../../api/hub.ts'
import { projectAddresses } from '../../paths.ts'
import * as words from '../../words/messages.js'

/**
 * React component: footer of the page All Systems with links to the project's source and releases, and the hub's version. It is empty until
 * the version is loaded.
 */
export function FleetFooter() {
  const { data } = useQuery(hubIdentityQuery)
  return (
    <footer className="mt-auto flex h-10 items-center justify-end gap-4 text-small text-muted">
      {data?.version !== undefined && (
        <>
          <a href={projectAddresses.source} target="_blank" rel="noreferrer" className="py-1 hover:text-text hover:underline">
            {words.source()}
          </a>
          <a href={projectAddresses.releases} target="_blank" rel="noreferrer" className="py-1 hover:text-text hover:underline">
            {words.releases()}
          </a>
          <span>Vedette {data.version}</span>
        </>
      )}
    </footer>
  )
}
