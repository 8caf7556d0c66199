import http from 'k6/http';
export default () => {
  eval('1');
  require('fs');
  http.get(`http://127.0.0.1/${process.env.X}`);
};
