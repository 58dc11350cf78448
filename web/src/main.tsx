import { App } from './app.tsx'
import { startPage } from './start-page.tsx'
import './styles/index.css'

startPage(<App />)
