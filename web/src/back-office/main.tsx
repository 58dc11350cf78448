import { startPage } from '../start-page.tsx'
import { BackOffice } from './back-office.tsx'
import './styles.css'

startPage(<BackOffice />)
