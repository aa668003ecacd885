// A page with a pad on a table: the pad, and what every page of a table does.
import './pad.js';
import './table.js';
