import { useQuery } from '@tanstack/react-query'
import { Awaited } from '../../ui/awaited.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'
import { collectionTitle } from './collection-title.ts'
import { collectionsQuery, type CollectionModel } from './collections.ts'
import { Records } from './records.tsx'

/** React component: back-office page with the records of the collection `collection` (name or id), such as `users`. */
export function CollectionPage({ collection }: { collection: string }) {
  const query = useQuery(collectionsQuery)
  const isThis = ({ id, name }: CollectionModel) => name === collection || id === collection
  usePageTitle(query.data && collectionTitle(query.data.find(isThis)?.name ?? collection))
  return (
    <Awaited query={query} skeleton={<Spinner label={words.loading()} />} failure={words.office_not_loaded()} isPage>
      {(collections) => {
        const model = collections.find(isThis)
        if (model !== undefined) return <Records model={model} />
        return <EmptyState title={words.office_no_page()} detail={words.office_no_collection({ name: collection })} isPage />
      }}
    </Awaited>
  )
}
