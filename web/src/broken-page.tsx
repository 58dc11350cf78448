import { messageOf } from './api/request-failed.ts'
import { Button } from './ui/button.tsx'
import { EmptyState } from './ui/empty-state.tsx'
import * as words from './words/messages.js'

/**
 * React component: error page with the message of `error` and a button to reload. It replaces a page whose rendering threw or whose code
 * could not be loaded.
 */
export function BrokenPage({ error }: { error: unknown }) {
  return (
    <main className="mx-auto grid w-full max-w-lg flex-1 content-center p-3">
      <EmptyState isPage title={words.page_failed()} detail={messageOf(error)}>
        <Button onClick={() => location.reload()}>{words.reload()}</Button>
      </EmptyState>
    </main>
  )
}
