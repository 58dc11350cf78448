import { Spinner } from './ui/spinner.tsx'
import * as words from './words/messages.js'

/** React component: loading indicator of a page whose code is loading. */
export const WaitingPage = () => (
  <main className="flex flex-1">
    <Spinner label={words.loading()} />
  </main>
)
