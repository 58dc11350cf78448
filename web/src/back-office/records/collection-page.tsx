import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'
import { collectionsQuery } from './collections.ts'
import { Records } from './records.tsx'

/** A collection by its name or its id, as links have it. */
export function CollectionPage({ collection }: { collection: string }) {
  usePageTitle(`${collection} / Vedette`)
  const { data, isError, error, refetch } = useQuery(collectionsQuery)
  if (isError) {
    return (
      <Notice title={words.office_not_loaded()} detail={messageOf(error)} isPage>
        <Button onClick={() => void refetch()}>{words.retry()}</Button>
      </Notice>
    )
  }
  if (data === undefined) return <Spinner label={words.loading()} />
  const model = data.find(({ id, name }) => name === collection || id === collection)
  if (model === undefined) return <Notice title={words.office_no_page()} detail={words.office_no_collection({ name: collection })} isPage />
  return <Records model={model} />
}
