import { tokenIn } from './link.ts';

document.title = tokenIn(location.hash) === undefined ? 'venued' : 'venued';
