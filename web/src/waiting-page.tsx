import { Spinner } from './ui/spinner.tsx'
import * as words from './words/messages.js'

/** React component: loading indicator in place of a page whose code is being loaded. */
export const WaitingPage = () => (
  <main className="flex flex-1">
    <Spinner label={words.loading()} />
  </main>
)
